/** A page outside the repository, which is built with React 18 and with React 19. */
import { readSession } from '@portico/client/calls'
import { client } from '@portico/client/client'
import { storedJwt } from '@portico/client/stored-jwt'
import { Button } from '@portico/ui/button'
import { CardOption, CardSelect } from '@portico/ui/card-select'
import { Checkbox } from '@portico/ui/checkbox'
import { Dialog } from '@portico/ui/dialog'
import { Popover } from '@portico/ui/popover'
import { Stack } from '@portico/ui/stack'
import { TextField } from '@portico/ui/text-field'
import { ToastProvider, useToast } from '@portico/ui/toast'
import {
  QRCodeModal,
  useWalletConnect,
  useWalletState,
  WalletConnectContextProvider,
} from '@portico/wallet-connect/react'
import { useEffect, useRef, useState, version } from 'react'

export function Page() {
  return (
    <WalletConnectContextProvider>
      <ToastProvider>
        <main>
          <h1>React {version}</h1>
          <Stack>
            <Form />
            <Wallet />
          </Stack>
        </main>
      </ToastProvider>
    </WalletConnectContextProvider>
  )
}

function Form() {
  const field = useRef<HTMLInputElement>(null)
  const showToast = useToast()
  const [email, setEmail] = useState('')
  const [isOpen, setIsOpen] = useState(false)
  const [card, setCard] = useState<string>()
  useEffect(() => {
    const call = client({ jwt: storedJwt(window) })
    call(readSession, {}).then(
      ({ session }) => setEmail(session?.email ?? ''),
      (error: unknown) => console.error(error),
    )
  }, [])
  return (
    <>
      <TextField
        ref={field}
        label="Email"
        value={email}
        onChange={(e) => setEmail(e.target.value)}
      />
      <Checkbox label="Remember me" />
      <Button onClick={() => field.current?.focus()}>Focus the field</Button>
      <Button onClick={() => showToast({ text: 'Saved' })}>Save</Button>
      <Button onClick={() => setIsOpen(true)}>Choose a card</Button>
      <Dialog open={isOpen} title="Cards" onClose={() => setIsOpen(false)}>
        <CardSelect label="Cards" value={card} onChange={setCard}>
          <CardOption value="one" title="One" />
          <CardOption value="two" title="Two" />
        </CardSelect>
      </Dialog>
      <Popover label="More" kind="menu" look="choice" button="More">
        <button type="button" role="menuitem" onClick={() => showToast({ text: 'First' })}>
          First
        </button>
      </Popover>
    </>
  )
}

function Wallet() {
  const { walletConnectService: service, walletConnectState } = useWalletConnect()
  const address = useWalletState((state) => state.address)
  const [signature, setSignature] = useState('')
  const sign = async () => {
    const { result } = await service.signHexMessage('deadbeef')
    setSignature(result?.signature ?? 'none')
  }
  return (
    <>
      <QRCodeModal walletConnectService={service} title="Scan the code" />
      <p id="address">{address}</p>
      <p id="code">{walletConnectState.modal.QRCodeUrl}</p>
      <p id="signature">{signature}</p>
      <Button onClick={() => void service.connect({})}>Connect</Button>
      <Button onClick={() => void sign()}>Sign</Button>
    </>
  )
}
