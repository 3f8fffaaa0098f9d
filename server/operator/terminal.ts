/** Where text goes: a person's terminal, or a script. */
export type Terminal = NodeJS.WritableStream & { isTTY?: boolean }
