/** The version of this package. */
export const version = '1.0.0'
