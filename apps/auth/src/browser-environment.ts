import { client } from '@portico/client/client'
import { storedJwt } from '@portico/client/stored-jwt'
import type { PageData } from '@portico/contracts/page-data'
import { partLoader } from '@portico/shell/module-failures'
import { browserPasskeys } from '@portico/shell/passkeys'
import { textStorage } from '@portico/shell/text-storage'
import { botCheck } from './bot-check/bot-check.ts'
import type { Environment } from './environment.ts'

/** The environment of a browser's window. */
export function browserEnvironment(page: PageData, window: Window): Environment {
  const jwt = storedJwt(window)
  const storage = textStorage(() => window.sessionStorage)
  const clock = () => Date.now()
  const call = client({ jwt })
  const navigate = (to: string) => {
    const url = new URL(to, window.location.href)
    if (!/^https?:$/.test(url.protocol)) throw new TypeError('Only web pages can be gone to')
    window.location.assign(url)
  }
  const reload = () => window.location.reload()
  return {
    client: call,
    jwt,
    storage,
    navigate,
    reload,
    clock,
    wait,
    reportError: (error) => window.reportError(error),
    pageViews: { seen: () => undefined },
    botCheck: botCheck(page.botCheck, { client: call, clock }),
    // No wallet is built in: who asks for one goes straight on.
    wallet: { open: navigate, disconnect: async () => undefined },
    passkeys: browserPasskeys,
    chance: () => Math.random(),
    loadPart: partLoader({ storage, reload }),
  }
}

function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
