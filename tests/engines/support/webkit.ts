/** WebKitGTK's MiniBrowser on a display in memory, driven over WebDriver (https://www.w3.org/TR/webdriver2). */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { freePort } from '../../../tools/machine/free-port.ts'
import type { WebkitPrograms } from '../../../tools/machine/webkit.ts'
import { type BrowserPage, until } from '../../support/browser-page.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import type { Engine, Visitor } from './engine.ts'

/** Without it, the browser's toolbar keeps the window wider than a phone. */
const NARROW_TOOLBAR = '* { margin: 0; padding: 0; min-width: 0; min-height: 0 }'

/** A command of the driver that takes longer hangs. Starting the browser takes seconds on a busy machine. */
const COMMAND_LIMIT_MS = 10_000
const START_LIMIT_MS = 45_000
const STARTS = 3

type Call = (
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: object,
  limitMs?: number,
) => Promise<unknown>

/** A driver with the browser that it has started. */
interface Session {
  readonly call: Call
  readonly end: () => void
}

export async function openWebkit(programs: WebkitPrograms): Promise<Engine> {
  const folder = temporaryFolder()
  mkdirSync(path.join(folder.path, 'gtk-3.0'))
  writeFileSync(path.join(folder.path, 'gtk-3.0', 'gtk.css'), NARROW_TOOLBAR)
  const display = spawn(
    programs.display,
    ['-displayfd', '3', '-screen', '0', '1440x1000x24', '-nolisten', 'tcp'],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] },
  )
  // An interrupted test run must not leave it behind.
  const end = () => display.kill('SIGKILL')
  process.once('exit', end)
  const [number] = await once(display.stdio[3] as Readable, 'data') // A pipe, as above.
  const environment = {
    PATH: process.env.PATH,
    HOME: folder.path,
    DISPLAY: `:${String(number).trim()}`,
    XDG_CONFIG_HOME: folder.path,
    XDG_RUNTIME_DIR: folder.path,
  }
  return {
    visitor: async () => visitor(await startSession(programs.driver, environment)),
    async [Symbol.asyncDispose]() {
      process.off('exit', end)
      const exited = once(display, 'exit')
      display.kill()
      await exited
      folder.remove()
    },
  }
}

/** The driver has one session at a time and may hang or keep a lost one, so each session has its own driver. */
async function startSession(program: string, environment: NodeJS.ProcessEnv): Promise<Session> {
  const causes: unknown[] = []
  while (causes.length < STARTS) {
    const driver = await startDriver(program, environment)
    try {
      await until('The start of the driver', () => driver.call('GET', '/status'))
      // The driver reports no errors. As it does not wait for a page to load, a script can record them from the start.
      const capabilities = { alwaysMatch: { pageLoadStrategy: 'none' } }
      const value = await driver.call('POST', '/session', { capabilities }, START_LIMIT_MS)
      const { sessionId } = value as { readonly sessionId: string }
      return {
        call: (method, to, body) => driver.call(method, `/session/${sessionId}/${to}`, body),
        end: driver.end,
      }
    } catch (cause) {
      driver.end()
      causes.push(cause)
    }
  }
  throw new AggregateError(causes, `WebKitGTK did not start, ${STARTS} times: ${causes.join('; ')}`)
}

async function startDriver(program: string, environment: NodeJS.ProcessEnv): Promise<Session> {
  const port = await freePort()
  // In its own process group, with the browser's processes.
  const driver = spawn(program, [`--port=${port}`], {
    stdio: 'ignore',
    env: environment,
    detached: true,
  })
  const kill = () => {
    try {
      if (driver.pid !== undefined) process.kill(-driver.pid, 'SIGKILL')
    } catch {
      // All of its processes have ended.
    }
  }
  process.once('exit', kill)
  return {
    async call(method, to, body, limitMs = COMMAND_LIMIT_MS) {
      const response = await fetch(`http://127.0.0.1:${port}${to}`, {
        method,
        signal: AbortSignal.timeout(limitMs),
        ...(body && { body: JSON.stringify(body) }),
      }).catch((cause: unknown) => {
        throw new Error(`The driver did not answer ${method} ${to}`, { cause })
      })
      const { value } = (await response.json()) as { value: { error?: string; message?: string } }
      if (!response.ok) throw new Error(`${method} ${to}: ${value.error}: ${value.message}`)
      return value
    },
    end() {
      process.off('exit', kill)
      kill()
    },
  }
}

function visitor({ call, end }: Session): Visitor {
  const evaluate: BrowserPage['evaluate'] = async (run, arg) => {
    const script = `return (${run.toString()})(arguments[0])`
    const value = await call('POST', 'execute/sync', { script, args: [arg ?? null] })
    return (value ?? undefined) as never // JSON of the result, in which undefined becomes null.
  }
  const act = (source: object) => call('POST', 'actions', { actions: [source] })
  const open = async (url: string) => {
    await evaluate(markAsLeft, undefined)
    await call('POST', 'url', { url })
    await until('The start of the page', () => evaluate(recordErrors, undefined))
    await until('The page', () => evaluate(isLoaded, undefined))
  }
  return {
    page: {
      evaluate,
      mouse: {
        click: async (x, y) => {
          await act({
            type: 'pointer',
            id: 'mouse',
            actions: [
              { type: 'pointerMove', x: Math.round(x), y: Math.round(y) },
              { type: 'pointerDown', button: 0 },
              { type: 'pointerUp', button: 0 },
            ],
          })
        },
      },
      keyboard: {
        type: async (text) => {
          await evaluate(markField, undefined)
          const actions = Array.from(text).flatMap((value) => [
            { type: 'keyDown', value },
            { type: 'keyUp', value },
          ])
          await act({ type: 'key', id: 'keyboard', actions })
          // On a busy machine, keys get lost. The caller repeats what fails.
          const left = await evaluate(lostText, text).catch(() => undefined)
          if (left !== undefined)
            throw new Error(`'${text}' was typed, but the field has '${left}'`)
        },
      },
    },
    open,
    resize: async (width, height) => {
      await call('POST', 'window/rect', { x: 0, y: 0, width, height })
    },
    screenshot: async () => Buffer.from(String(await call('GET', 'screenshot')), 'base64'),
    errors: () => evaluate(() => Reflect.get(globalThis, 'recordedErrors') ?? [], undefined),
    [Symbol.asyncDispose]: async () => end(),
  }
}

/** The following functions run in the page. */

function markAsLeft(): void {
  Object.assign(globalThis, { isLeft: true })
}

/** Undefined while the previous page is still there. It may run twice, because the driver loses results as a page changes. */
function recordErrors(): true | undefined {
  if (location.protocol === 'about:' || 'isLeft' in globalThis) return undefined
  if ('recordedErrors' in globalThis) return true
  const errors: string[] = []
  Object.assign(globalThis, { recordedErrors: errors })
  addEventListener('error', ({ message }) => errors.push(message))
  addEventListener('unhandledrejection', ({ reason }) => errors.push(String(reason)))
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    errors.push(`${violatedDirective} ${blockedURI}`),
  )
  console.error = (...details: unknown[]) => errors.push(details.join(' '))
  return true
}

function isLoaded(): true | undefined {
  return document.readyState === 'complete' || undefined
}

function markField(): void {
  Object.assign(globalThis, { field: document.activeElement })
}

/**
 * The field's value if it differs from the text; undefined if it matches or the field is gone because the text was complete.
 */
function lostText(text: string): string | undefined {
  const field: unknown = Reflect.get(globalThis, 'field')
  const isField = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement
  if (!isField || field !== document.activeElement) return undefined
  return field.value === text ? undefined : field.value
}
