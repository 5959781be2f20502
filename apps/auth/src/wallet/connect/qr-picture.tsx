import { Skeleton } from '@portico/ui/skeleton'
import type { ConnectCode } from './connect.flow.ts'
import styles from './connect.module.css'

/** The sizes of a code (§9): in the wallet modal, and in the standalone modal. */
export type QrSize = 182 | 256

/** The code of an attempt, with the quiet zone that readers need; its shape while it is on its way. */
export function QrPicture({ code, size }: { code: ConnectCode | undefined; size: QrSize }) {
  return (
    <div className={styles.qr} data-size={size}>
      {code === undefined ? (
        <Skeleton shape="card" label="Preparing the QR code" />
      ) : (
        <img src={code.image} width={size} height={size} alt="QR code to connect a wallet" />
      )}
    </div>
  )
}
