export { completeJwt, signJwt, unsignedJwt } from './make-jwt.ts'
export { type Jwt, type JwtClaims, type ReadJwt, readJwt } from './read-jwt.ts'
export {
  type JwtRefusal,
  type JwtVerdict,
  type VerifiedClaims,
  type VerifyJwtOptions,
  verifyJwt,
} from './verify-jwt.ts'
