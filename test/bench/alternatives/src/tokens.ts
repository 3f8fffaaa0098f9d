import jwt from 'jsonwebtoken'
import { config } from './config.ts'

const { privateKey, publicKey, issuer, lifetimeSeconds } = config.token

export interface AgeClaims {
  jti: string
  sub: string
  aud: string
  exp: number
  over18: boolean
}

export function signToken({ jti, sub, aud, over18 }: Omit<AgeClaims, 'exp'>): string {
  return jwt.sign({ over18 }, privateKey, {
    algorithm: 'ES256',
    issuer,
    subject: sub,
    audience: aud,
    jwtid: jti,
    expiresIn: lifetimeSeconds,
  })
}

/** Throws a `JsonWebTokenError` for an invalid token, and a `TokenExpiredError` for an expired one. */
export function verifyToken(token: string, audience: string): AgeClaims {
  return jwt.verify(token, publicKey, { algorithms: ['ES256'], issuer, audience }) as unknown as AgeClaims
}
