/** WebKitGTK's MiniBrowser on a display in memory, driven over WebDriver (https://www.w3.org/TR/webdriver2). */
import { type ChildProcess, spawn } from 'node:child_process'
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

type Call = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => Promise<unknown>

export async function openWebkit(programs: WebkitPrograms): Promise<Engine> {
  const folder = temporaryFolder()
  mkdirSync(path.join(folder.path, 'gtk-3.0'))
  writeFileSync(path.join(folder.path, 'gtk-3.0', 'gtk.css'), NARROW_TOOLBAR)
  const display = spawn(
    programs.display,
    ['-displayfd', '3', '-screen', '0', '1440x1000x24', '-nolisten', 'tcp'],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] },
  )
  const [number] = await once(display.stdio[3] as Readable, 'data') // A pipe, as above.
  const port = await freePort()
  const driver = spawn(programs.driver, [`--port=${port}`], {
    stdio: 'ignore',
    env: {
      PATH: process.env.PATH,
      HOME: folder.path,
      DISPLAY: `:${String(number).trim()}`,
      XDG_CONFIG_HOME: folder.path,
      XDG_RUNTIME_DIR: folder.path,
    },
  })
  // An interrupted test run must not leave them behind.
  const end = () => [driver, display].map((child) => child.kill('SIGKILL'))
  process.once('exit', end)
  const call: Call = async (method, to, body) => {
    const response = await fetch(`http://127.0.0.1:${port}${to}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
    })
    const { value } = (await response.json()) as { value: { error?: string; message?: string } }
    if (!response.ok) throw new Error(`${value.error}: ${value.message}`)
    return value
  }
  await until('The start of the driver', () => call('GET', '/status'))
  return {
    visitor: () => visitor(call),
    async [Symbol.asyncDispose]() {
      process.off('exit', end)
      await stop(driver)
      await stop(display)
      folder.remove()
    },
  }
}

async function stop(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit')
  child.kill()
  await exited
}

async function visitor(call: Call): Promise<Visitor> {
  // The driver reports no errors. As it does not wait for a page to load, a script can record them from the start.
  const capabilities = { alwaysMatch: { pageLoadStrategy: 'none' } }
  const { sessionId } = (await call('POST', '/session', { capabilities })) as { sessionId: string }
  const session = (method: 'GET' | 'POST', to: string, body?: object) =>
    call(method, `/session/${sessionId}/${to}`, body)
  const evaluate: BrowserPage['evaluate'] = async (run, arg) => {
    const script = `return (${run.toString()})(arguments[0])`
    const value = await session('POST', 'execute/sync', { script, args: [arg ?? null] })
    return (value ?? undefined) as never // JSON of the result, in which undefined becomes null.
  }
  const act = (source: object) => session('POST', 'actions', { actions: [source] })
  const open = async (url: string) => {
    await evaluate(markAsLeft, undefined)
    await session('POST', 'url', { url })
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
          const actions = Array.from(text).flatMap((value) => [
            { type: 'keyDown', value },
            { type: 'keyUp', value },
          ])
          await act({ type: 'key', id: 'keyboard', actions })
        },
      },
    },
    open,
    resize: async (width, height) => {
      await session('POST', 'window/rect', { x: 0, y: 0, width, height })
    },
    screenshot: async () => Buffer.from(String(await session('GET', 'screenshot')), 'base64'),
    errors: () => evaluate(() => Reflect.get(globalThis, 'recordedErrors') ?? [], undefined),
    async [Symbol.asyncDispose]() {
      await call('DELETE', `/session/${sessionId}`)
    },
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
