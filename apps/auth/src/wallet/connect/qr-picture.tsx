import { Skeleton } from '@portico/ui/skeleton'
import type { ConnectCode } from './connect.flow.ts'
import styles from './connect.module.css'

/** QR code widths in pixels (§9): in the wallet modal and in the standalone modal. */
export type QrSize = 182 | 256

/** The QR code with the quiet zone that scanners need, or a skeleton while it is being prepared. */
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
