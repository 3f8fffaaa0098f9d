/** Where all embedded parts listen: nobody else's machine reaches them. */
export const loopback = '127.0.0.1'
