// A type of the package's entry, as in rejection.ts.

/** Where the status of a token is, from its claim `status.status_list`. */
export interface StatusReference {
  idx: number
  uri: string
}
