/** A call was not sent, as what it needs first did not respond. The message is for the user. */
export class Unreachable extends Error {}
