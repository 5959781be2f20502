/**
 * Detects insecure setting values, which are refused unless `ALLOW_INSECURE` names the setting. Loopback addresses and
 * local sockets are always safe.
 */

type Environment = Readonly<Record<string, string | undefined>>

/** Returns what is insecure about a value and how to fix it, or undefined if it is safe. */
type InsecureValueCheck = (value: string) => string | undefined

/** The checks in production, by setting. */
const PRODUCTION: Readonly<Record<string, InsecureValueCheck>> = {
  DATABASE_URL: (value) =>
    isTlsDatabase(value)
      ? undefined
      : 'connects to the database without TLS. Add sslmode=verify-full',
  REDIS_URL: plainUrl('redis:', 'sends messages to Redis without TLS. Use rediss://'),
  SMS_URL: plainUrl('http:', 'sends codes to the gateway without TLS. Use https://'),
  CHAIN_URL: plainUrl('http:', 'connects to the chain node without TLS. Use https://'),
  BOT_CHECK_URL: plainUrl('http:', 'sends the secret without TLS. Use https://'),
  BREACH_CHECK_URL: plainUrl('http:', 'looks up passwords without TLS. Use https://'),
  EXPERIMENTS_URL: plainUrl('http:', 'fetches experiments without TLS. Use https://'),
  UPLOADS_S3_URL: plainUrl('http:', 'sends files to the bucket without TLS. Use https://'),
  OTEL_EXPORTER_OTLP_ENDPOINT: plainUrl('http:', 'sends traces without TLS. Use https://'),
  LENDER_APP_URL: plainUrl('http:', 'reaches the application without TLS. Use https://'),
}

/** The checks in demonstration mode, where the users' passwords are public. */
const DEMONSTRATION: Readonly<Record<string, InsecureValueCheck>> = {
  HOST: (value) => (isLoopback(value) ? undefined : PUBLIC_DEMONSTRATION),
  PUBLIC_URL: (value) => {
    const { protocol, hostname } = URL.parse(value) ?? {}
    // Any other scheme is reported as invalid.
    if (protocol !== 'http:' && protocol !== 'https:') return undefined
    return isLoopback(hostname ?? '') ? undefined : PUBLIC_DEMONSTRATION
  },
}

const PUBLIC_DEMONSTRATION =
  'exposes the demonstration, with its publicly known passwords, to other machines. Set NODE_ENV=production, or use a loopback address'

/** Made-up contacts in the data files, which production refuses (`load-data.ts`). */
export const EXAMPLE_CONTACTS = 'CONFIG_DIR'

/** The settings that `ALLOW_INSECURE` accepts. */
export const INSECURE_SETTINGS = [
  ...Object.keys(DEMONSTRATION),
  'SMTP_URL',
  ...Object.keys(PRODUCTION),
  EXAMPLE_CONTACTS,
]

/** Lists the insecure values that `ALLOW_INSECURE` does not permit. */
export function insecureSettingErrors(environment: Environment): string[] {
  const checks = environment['NODE_ENV'] === 'production' ? PRODUCTION : DEMONSTRATION
  return Object.entries(checks).flatMap(([name, check]) => {
    const value = environment[name]
    const error = value === undefined || isAllowed(environment, name) ? undefined : check(value)
    return error === undefined ? [] : [`${name} ${error}, or allow it with ALLOW_INSECURE=${name}`]
  })
}

/** Whether mail may be sent without TLS to a mail server that does not offer it. */
export function allowsPlainMail(environment: Environment): boolean {
  return (
    isAllowed(environment, 'SMTP_URL') ||
    isLoopback(URL.parse(environment['SMTP_URL'] ?? '')?.hostname ?? '')
  )
}

function isLoopback(host: string): boolean {
  return /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(host)
}

function isAllowed(environment: Environment, name: string): boolean {
  const allowed = environment['ALLOW_INSECURE'] ?? ''
  return allowed.split(',').some((each) => each.trim() === name)
}

function plainUrl(protocol: string, error: string): InsecureValueCheck {
  return (value) => {
    const url = URL.parse(value)
    return url?.protocol === protocol && !isLoopback(url.hostname) ? error : undefined
  }
}

/** The PostgreSQL driver verifies the certificate in all these modes, unless `uselibpqcompat` is set. */
function isTlsDatabase(value: string): boolean {
  const url = URL.parse(value)
  if (url === null) return true // Reported as invalid.
  const { hostname, searchParams } = url
  const host = searchParams.get('host') ?? hostname
  if (isLoopback(host) || host === '' || host.startsWith('/')) return true
  const mode = searchParams.get('sslmode')
  if (mode === 'verify-full' || mode === 'verify-ca') return true
  if (searchParams.has('uselibpqcompat')) return false
  return mode === null ? /^(?:true|1)$/.test(searchParams.get('ssl') ?? '') : mode === 'require'
}
