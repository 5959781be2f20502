import { pino } from 'pino'

/** Header and field names whose values never reach a log. */
const SECRET_PATHS = [
  'authorization',
  'cookie',
  'password',
  'newPassword',
  'token',
  'code',
  'jwt',
  'secret',
  'email',
].flatMap((name) => [name, `*.${name}`, `*.*.${name}`])

/**
 * The log: events with fields, one line of JSON each, with the host and process it is from. Secrets, codes, tokens and addresses are replaced wherever a
 * field carries one of their names, and e-mail addresses and tokens also inside texts.
 */
export function openLog(level: string, write?: (line: string) => void) {
  return pino(
    {
      level,
      redact: { paths: SECRET_PATHS, censor: censored },
      serializers: { err: (error: Error) => safeError(error) },
      formatters: { level: (label) => ({ level: label }) },
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
    },
    { write: write ?? inBatches((lines) => void process.stderr.write(lines)) },
  )
}

/**
 * Hands on what one turn of the event loop logged in one piece: under load a system call for each line costs more than
 * its text. What is left when the process ends goes out then.
 */
function inBatches(write: (lines: string) => void): (line: string) => void {
  let waiting = ''
  const flush = () => {
    const lines = waiting
    waiting = ''
    if (lines !== '') write(lines)
  }
  process.once('exit', flush)
  return (line) => {
    if (waiting === '') setImmediate(flush)
    waiting += line
  }
}

/** The code of an error, such as ECONNREFUSED. Any other field of the name `code` may hold a passcode. */
class ErrorCode {
  readonly #code: string

  constructor(code: string) {
    this.#code = redacted(code)
  }

  toJSON(): string {
    return this.#code
  }
}

const censored = (value: unknown) => (value instanceof ErrorCode ? value : '[redacted]')

/** Takes e-mail addresses, tokens, cookies and passcodes out of a text. */
export function redacted(text: string): string {
  return text
    .replace(/[^\s"'<>@/?&=]{1,64}@[^\s"'<>@/?&=]{1,255}/g, '[email]')
    .replace(/eyJ[\w-]+(?:\.[\w-]+){0,2}/g, '[token]')
    .replace(/\b\d{6}\b/g, '[code]')
}

function safeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: redacted(String(error)) }
  const { code } = error as { code?: unknown }
  return {
    name: error.name,
    message: redacted(error.message),
    ...(typeof code === 'string' ? { code: new ErrorCode(code) } : {}),
    stack: redacted(error.stack ?? ''),
    ...(error.cause === undefined ? {} : { cause: safeError(error.cause) }),
  }
}
