import { qrPath } from '@portico/wallet-connect/qr-path'
import { encode } from 'uqr'

/** The quiet zone around the code: scanners need four modules (ISO/IEC 18004). */
const QUIET_ZONE = 4

/** A QR code, black on white in both color schemes because not every scanner reads inverted codes. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET_ZONE })
  return (
    <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <path fill="#fff" d={`M0 0h${size}v${size}h-${size}z`} />
      <path fill="#000" d={qrPath(data)} />
    </svg>
  )
}
