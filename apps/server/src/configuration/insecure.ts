/**
 * Values that are safe only in some surroundings. Each is refused unless `ALLOW_INSECURE` names its setting. What stays on this
 * machine is safe: loopback addresses and sockets.
 */

type Given = Readonly<Record<string, string | undefined>>

/** What is wrong with a value, and what to do instead; nothing where it is safe. */
type Danger = (value: string) => string | undefined

/** Everything that is wrong with a production, by the setting it comes from. */
const PRODUCTION: Readonly<Record<string, Danger>> = {
  DATABASE_URL: (value) =>
    isTlsDatabase(value)
      ? undefined
      : 'connects to the database without TLS. Add sslmode=verify-full to it',
  REDIS_URL: plainUrl('redis:', 'sends messages to Redis without TLS. Use rediss://'),
  SMS_URL: plainUrl('http:', 'sends codes to the gateway without TLS. Use https://'),
  CHAIN_URL: plainUrl('http:', 'asks the node of the chain without TLS. Use https://'),
  BOT_CHECK_URL: plainUrl('http:', 'sends its secret without TLS. Use https://'),
  BREACH_CHECK_URL: plainUrl('http:', 'looks passwords up without TLS. Use https://'),
  EXPERIMENTS_URL: plainUrl('http:', 'fetches experiments without TLS. Use https://'),
  LENDER_APP_URL: plainUrl('http:', 'sends people to pages without TLS. Use https://'),
}

/** The people of the demonstration and their passwords are public. */
const DEMONSTRATION: Readonly<Record<string, Danger>> = {
  HOST: (value) => (isLoopback(value) ? undefined : PUBLIC_DEMONSTRATION),
  PUBLIC_URL: (value) => {
    const { protocol, hostname } = URL.parse(value) ?? {}
    // Anything else is refused for its form.
    if (protocol !== 'http:' && protocol !== 'https:') return undefined
    return isLoopback(hostname ?? '') ? undefined : PUBLIC_DEMONSTRATION
  },
}

const PUBLIC_DEMONSTRATION =
  'opens the demonstration, whose people and passwords are public, to other machines. Set NODE_ENV=production, or use an address of this machine'

/** The names that `ALLOW_INSECURE` may hold. */
export const INSECURE_SETTINGS = [
  ...Object.keys(DEMONSTRATION),
  'SMTP_URL',
  ...Object.keys(PRODUCTION),
]

/** What is insecure in an environment and not allowed there. */
export function insecureSettingErrors(given: Given): string[] {
  const dangers = given['NODE_ENV'] === 'production' ? PRODUCTION : DEMONSTRATION
  return Object.entries(dangers).flatMap(([name, danger]) => {
    const value = given[name]
    const fault = value === undefined || isAllowed(given, name) ? undefined : danger(value)
    return fault === undefined ? [] : [`${name} ${fault}, or allow it by ALLOW_INSECURE=${name}`]
  })
}

/** Whether mail may leave without TLS where the mail server offers none. */
export function allowsPlainMail(given: Given): boolean {
  return (
    isAllowed(given, 'SMTP_URL') || isLoopback(URL.parse(given['SMTP_URL'] ?? '')?.hostname ?? '')
  )
}

/** Whether a host is this machine alone. */
function isLoopback(host: string): boolean {
  return /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(host)
}

function isAllowed(given: Given, name: string): boolean {
  const allowed = given['ALLOW_INSECURE'] ?? ''
  return allowed.split(',').some((each) => each.trim() === name)
}

function plainUrl(protocol: string, fault: string): Danger {
  return (value) => {
    const url = URL.parse(value)
    return url?.protocol === protocol && !isLoopback(url.hostname) ? fault : undefined
  }
}

/** PostgreSQL's driver verifies the certificate in each of these modes, unless it is told to behave as libpq does. */
function isTlsDatabase(value: string): boolean {
  const url = URL.parse(value)
  if (url === null) return true // Refused for its form.
  const { hostname, searchParams } = url
  const host = searchParams.get('host') ?? hostname
  if (isLoopback(host) || host === '' || host.startsWith('/')) return true
  const mode = searchParams.get('sslmode')
  if (mode === 'verify-full' || mode === 'verify-ca') return true
  if (searchParams.has('uselibpqcompat')) return false
  return mode === null ? /^(?:true|1)$/.test(searchParams.get('ssl') ?? '') : mode === 'require'
}
