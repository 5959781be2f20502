/** Loads every component in Node, and renders some. Node cannot import style sheets. */
import { readFileSync } from 'node:fs'
import { Button } from '@portico/ui/button'
import { Dialog } from '@portico/ui/dialog'
import { Popover } from '@portico/ui/popover'
import { ToastProvider } from '@portico/ui/toast'
import { useWalletState, WalletConnectContextProvider } from '@portico/wallet-connect/react'
import { createElement, version } from 'react'
import { renderToString } from 'react-dom/server'

const manifest = new URL('package.json', import.meta.resolve('@portico/ui/package.json'))
const { exports } = JSON.parse(readFileSync(manifest, 'utf8'))
const components = Object.keys(exports).filter((each) => !/\.(?:css|json)$/.test(each))
for (const each of components) await import(`@portico/ui/${each.slice('./'.length)}`)

const children = { children: 'Text' }

function Address() {
  return createElement('p', null, `Address: ${useWalletState(({ address }) => address)}`)
}

console.log(
  renderToString(
    createElement(
      WalletConnectContextProvider,
      null,
      createElement(
        ToastProvider,
        null,
        createElement(Address),
        createElement(Button, null, `React ${version}`),
        createElement(Popover, { label: 'More', look: 'icon', button: '…', ...children }),
        createElement(Dialog, { open: false, title: 'Dialog', ...children }),
      ),
    ),
  ),
)
