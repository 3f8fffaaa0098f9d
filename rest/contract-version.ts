/** The version of the tenant API's contract, as its OpenAPI document has it. */
export const contractVersion = '1.0.0'
