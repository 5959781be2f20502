// A page that connects a wallet and has it sign. README.md says how to run it and which wallet to use.
import { WalletConnectService, WINDOW_MESSAGES } from '@portico/wallet-connect/session'

// The page and the server that `npm start` runs are two origins here; on one origin the default relay is the right one.
const server = new URLSearchParams(location.search).get('server') ?? 'http://127.0.0.1:8080'
const wallet = new WalletConnectService({
  bridge: `${server}/service-wallet-connect-bridge/ws/external`,
  issuer: 'sample.example',
})

const statusText = find('status', HTMLOutputElement)
const addressText = find('address', HTMLOutputElement)
const code = find('code', HTMLImageElement)
const uri = find('uri', HTMLInputElement)
const log = find('log', HTMLOListElement)

// The state is one object that is replaced whenever something changes.
function show(): void {
  const { status, address, modal } = wallet.state
  statusText.value = status
  addressText.value = address
  code.hidden = !modal.showModal
  code.src = modal.QRCodeImg
  uri.value = status === 'pending' ? modal.QRCodeUrl : ''
}
wallet.subscribe(show)
show()

// Every operation tells its caller how it ended, and broadcasts it.
for (const name of Object.values(WINDOW_MESSAGES)) {
  wallet.addListener(name, (data) => {
    const entry = document.createElement('li')
    entry.textContent = `${name} ${JSON.stringify(data)}`
    log.append(entry)
  })
}

// Connecting is done in two steps: init resolves when there is a code, FWC_CONNECTED comes when the wallet has approved.
onClick('connect', () => wallet.init())
onClick('disconnect', () => wallet.disconnect())

// The message is hexadecimal; `valid` says that the signature is the connected account's.
onClick('sign', () => wallet.signHexMessage('48656c6c6f'))

// An identity token of ten minutes; afterwards it is also `wallet.state.signedJWT`.
onClick('token', () => wallet.signJWT(600))

function onClick(id: string, act: () => Promise<unknown>): void {
  find(id, HTMLButtonElement).addEventListener('click', () => {
    act().catch((error: unknown) => {
      statusText.value = String(error)
    })
  })
}

function find<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id)
  if (found instanceof kind) return found
  throw new Error(`The page has no ${kind.name} with the id ${id}`)
}
