// A page that connects a wallet and requests signatures. README.md explains how to run it and which wallet to use.
import { WalletConnectService, WINDOW_MESSAGES } from '@portico/wallet-connect/session'

// The page and the server of `npm start` have different origins here. On the same origin, `server` is not needed.
const server = new URLSearchParams(location.search).get('server') ?? 'http://127.0.0.1:8080'
const wallet = new WalletConnectService({
  server,
  issuer: 'sample.example',
})

const statusText = find('status', HTMLOutputElement)
const addressText = find('address', HTMLOutputElement)
const code = find('code', HTMLImageElement)
const uri = find('uri', HTMLInputElement)
const log = find('log', HTMLOListElement)

// The state is an object that is replaced on every change.
function show(): void {
  const { status, address, modal, relayStatus } = wallet.state
  statusText.value = relayStatus === 'unreachable' ? `${status}, no relay at ${server}` : status
  addressText.value = address
  code.hidden = !modal.showModal
  code.src = modal.QRCodeImg
  uri.value = status === 'pending' ? modal.QRCodeUrl : ''
}
wallet.subscribe(show)
show()

// Every operation returns its outcome to the caller and also broadcasts it.
for (const name of Object.values(WINDOW_MESSAGES)) {
  wallet.addListener(name, (data) => {
    const entry = document.createElement('li')
    entry.textContent = `${name} ${JSON.stringify(data)}`
    log.append(entry)
  })
}

// Connecting takes two steps: init resolves when the QR code is ready, FWC_CONNECTED follows when the wallet has approved.
onClick('connect', () => wallet.init())
onClick('disconnect', () => wallet.disconnect())

// The message is hexadecimal; `valid` means that the signature is the connected account's.
onClick('sign', () => wallet.signHexMessage('48656c6c6f'))

// An identity token that is valid for ten minutes; afterwards it is also in `wallet.state.signedJWT`.
onClick('token', () => wallet.signJWT(600))

function onClick(id: string, act: () => Promise<unknown>): void {
  find(id, HTMLButtonElement).addEventListener('click', () => {
    act().catch((error: unknown) => {
      statusText.value = String(error)
    })
  })
}

function find<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const element = document.getElementById(id)
  if (element instanceof kind) return element
  throw new Error(`The page has no ${kind.name} with the id ${id}`)
}
