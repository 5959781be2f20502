import { useEffect, useId, useRef, useState } from 'react'
import { pickWallet } from '../session/launch/pick-wallet.ts'
import type { WalletId } from '../session/launch/wallet-addresses.ts'
import type { Wallet, WalletType } from '../session/launch/wallet-list.ts'
import type { WalletConnectService } from '../session/wallet-connect-service.ts'
import styles from './qr-code-modal.module.css'
import { useStateOf } from './wallet-connect-context.tsx'

const QR_PX = 276
const COPIED_MS = 3000

const UNREACHABLE_TITLE = 'Wallets are unavailable'
const UNREACHABLE =
  'We could not reach the wallet service. Check your connection. We keep trying, and the code will appear here.'

interface Props {
  readonly walletConnectService: WalletConnectService
  readonly className?: string
  readonly title?: string
  /** Non-production wallets to offer anyway. */
  readonly devWallets?: readonly WalletId[]
  readonly hideWallets?: readonly WalletId[]
}

/** The dialog with the QR code and the wallets to open. It is open while the session's `modal.showModal` is true. */
export function QRCodeModal(props: Props) {
  const shown = useStateOf(props.walletConnectService, ({ modal }) => modal.showModal)
  return shown ? <OpenModal {...props} /> : null
}

function OpenModal({
  walletConnectService: service,
  className,
  title = `Scan the QR Code with your ${service.mobileName ?? 'mobile wallet'}`,
  devWallets = [],
  hideWallets = [],
}: Props) {
  const { QRCodeImg, QRCodeUrl, dynamicUrl, isMobile } = useStateOf(service, ({ modal }) => modal)
  const relayStatus = useStateOf(service, (state) => state.relayStatus)
  const isUnreachable = relayStatus === 'unreachable'
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useId()
  const close = () => service.updateModal({ showModal: false })
  useEffect(() => dialog.current?.showModal(), [])

  const offered = service.offeredWallets.filter(
    ({ dev, id, type }) =>
      (dev !== true || devWallets.includes(id)) &&
      !hideWallets.includes(id) &&
      runsOn(type, isMobile),
  )
  const pick = (wallet: Wallet) => {
    const link = pickWallet(service, wallet, { href: location.href, openWindow: openNewWindow })
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
      <h2 id={heading}>{isUnreachable ? UNREACHABLE_TITLE : title}</h2>
      <p role="alert">{isUnreachable ? UNREACHABLE : ''}</p>
      {!isUnreachable && (
        <>
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
        </>
      )}
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
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
    } catch {
      // The browser denied access, or has no clipboard here: the button must not claim that the text was copied.
    }
  }
  return (
    <button type="button" onClick={() => void copy()}>
      <span aria-live="polite">{copied ? 'Copied!' : 'Copy QR Code'}</span>
    </button>
  )
}

/** Phones offer mobile wallets; other devices offer wallets that run in a browser. */
function runsOn(type: Wallet['type'], isMobile: boolean): boolean {
  const types = [type].flat() as readonly WalletType[]
  return isMobile ? types.includes('mobile') : types.some((each) => each !== 'mobile')
}

function openNewWindow(url: string): void {
  window.open(url, '_blank', 'noopener')
}
