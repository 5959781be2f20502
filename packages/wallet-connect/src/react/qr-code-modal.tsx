import { useEffect, useId, useRef, useState } from 'react'
import { pickWallet } from '../session/launch/pick-wallet.ts'
import type { Wallet, WalletType } from '../session/launch/wallet-list.ts'
import type { WalletId } from '../session/wallet-app-ids.ts'
import type { WalletConnectService } from '../session/wallet-connect-service.ts'
import styles from './qr-code-modal.module.css'
import { useStateOf } from './wallet-connect-context.tsx'

const QR_PX = 276
const COPIED_MS = 3000

interface Props {
  readonly walletConnectService: WalletConnectService
  readonly className?: string
  readonly title?: string
  /** Wallets for use outside production that are offered all the same. */
  readonly devWallets?: readonly WalletId[]
  readonly hideWallets?: readonly WalletId[]
}

/** The dialogue with the code to scan and the wallets to open, for as long as the session's `modal.showModal` says. */
export function QRCodeModal(props: Props) {
  const shown = useStateOf(props.walletConnectService, ({ modal }) => modal.showModal)
  return shown ? <OpenModal {...props} /> : null
}

function OpenModal({
  walletConnectService: service,
  className,
  title = 'Scan the QR Code with your Figure Mobile Wallet',
  devWallets = [],
  hideWallets = [],
}: Props) {
  const { QRCodeImg, QRCodeUrl, dynamicUrl, isMobile } = useStateOf(service, ({ modal }) => modal)
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useId()
  const close = () => service.updateModal({ showModal: false })
  useEffect(() => dialog.current?.showModal(), [])

  const offered = service.wallets.filter(
    ({ dev, id, type }) =>
      (dev !== true || devWallets.includes(id)) &&
      !hideWallets.includes(id) &&
      runs(type, isMobile),
  )
  const pick = (wallet: Wallet) => {
    const link = pickWallet(service, wallet, { href: location.href, openWindow: openOutside })
    if (link !== undefined) location.assign(link)
  }
  return (
    <dialog
      ref={dialog}
      id="wcjs-qr-modal"
      className={[styles['dialog'], className].filter(Boolean).join(' ')}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault()
        close()
      }}
    >
      <h2 id={heading}>{title}</h2>
      <img src={QRCodeImg} alt="QR code to connect a wallet" width={QR_PX} height={QR_PX} />
      <CopyButton text={encodeURIComponent(QRCodeUrl)} />
      {offered.length > 0 && (
        <ul className={styles['wallets']}>
          {offered.map((wallet) => (
            <li key={wallet.id}>
              <button type="button" onClick={() => pick(wallet)}>
                {wallet.title}
              </button>
            </li>
          ))}
        </ul>
      )}
      {dynamicUrl !== '' && <a href={dynamicUrl}>Open the wallet</a>}
      <button type="button" onClick={close}>
        Close
      </button>
    </dialog>
  )
}

function CopyButton({ text }: { readonly text: string }) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), COPIED_MS)
    return () => clearTimeout(timer)
  }, [copied])
  // Where the clipboard is refused nothing is copied, and nothing says so wrongly.
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => undefined,
    )
  return (
    <button type="button" onClick={() => void copy()}>
      <span aria-live="polite">{copied ? 'Copied!' : 'Copy QR Code'}</span>
    </button>
  )
}

/** On a phone the wallets of the phone are offered, elsewhere those that run in a browser. */
function runs(type: Wallet['type'], isMobile: boolean): boolean {
  const types = [type].flat() as readonly WalletType[]
  return isMobile ? types.includes('mobile') : types.some((each) => each !== 'mobile')
}

function openOutside(url: string): void {
  window.open(url, '_blank', 'noopener')
}
