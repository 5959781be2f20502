/** A Node program outside the repository, with the packages for servers and wallets. It prints what it found as JSON. */
import { readSession } from '@portico/client/calls'
import { client } from '@portico/client/client'
import { addressOf } from '@portico/keys/address'
import { privateKeyAt } from '@portico/keys/derivation'
import { signJwt, verifyJwt } from '@portico/keys/jwt'
import { newWords, seedOfWords } from '@portico/keys/mnemonic'
import { NETWORKS } from '@portico/keys/networks'
import { publicKeyOf } from '@portico/keys/signature'
import { openTokens } from '@portico/sdk/server'

const { ORIGIN = '', COOKIE = '', ID_TOKEN = '', ACCESS_TOKEN = '' } = process.env

const { prefix, path } = NETWORKS.testnet
const privateKey = privateKeyAt(await seedOfWords(newWords(12)), path)
const addr = addressOf(publicKeyOf(privateKey), prefix)
const now = Math.floor(Date.now() / 1000)
const jwt = signJwt(privateKey, { iss: 'portico.example', iat: now, exp: now + 1440, addr })
const verdict = verifyJwt(jwt, { now, issuer: 'portico.example', prefix })

const call = client({
  baseUrl: ORIGIN,
  jwt: { read: () => undefined, write() {}, remove() {}, watch: () => () => {} },
})
const { session } = await call(readSession, { headers: { cookie: COOKIE } })

const tokens = openTokens({
  issuer: `${ORIGIN}/oidc`,
  clientId: 'lender-app',
  clientSecret: 'demonstration-secret',
})
const { email } = await tokens.verifyIdToken(ID_TOKEN)
const { sub } = await tokens.verifyAccessToken(ACCESS_TOKEN)

console.log(
  JSON.stringify({
    verified: verdict.ok && verdict.claims.addr === addr,
    session: session?.email,
    idToken: email,
    accessToken: sub === session?.identityUuid,
  }),
)
