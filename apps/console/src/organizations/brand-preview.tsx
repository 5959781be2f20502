import { GALLERY_SCREENS } from '@portico/contracts/gallery'
import {
  PREVIEW_MAILS,
  PREVIEW_PATH,
  PREVIEW_READY,
  type PreviewBrand,
  type PreviewMail,
} from '@portico/contracts/preview'
import { SelectField } from '@portico/ui/select-field'
import { useEffect, useMemo, useRef } from 'react'
import styles from './organizations.module.css'

/** The content and appearance of the preview. */
interface PreviewView {
  /** `APPLICATION/SCREEN`, or `mail/NAME`. */
  readonly screen: string
  readonly scheme: 'light' | 'dark'
  readonly device: 'desktop' | 'phone'
}

export interface PreviewedMail {
  readonly subject: string
  readonly html: string
  readonly text: string
}

export const FIRST_VIEW: PreviewView = { screen: 'auth/login', scheme: 'light', device: 'desktop' }

const MAIL = 'mail/'

/** The selected mail; undefined for a screen. */
export function previewedMail({ screen }: PreviewView): PreviewMail | undefined {
  // The options of the list are the keys of PREVIEW_MAILS.
  return screen.startsWith(MAIL) ? (screen.slice(MAIL.length) as PreviewMail) : undefined
}

const { auth, portal, wallet } = GALLERY_SCREENS
const GROUPS = [
  { title: 'Sign-in and registration', folder: 'auth/', screens: auth },
  { title: 'Portal', folder: 'portal/', screens: portal },
  { title: 'Wallet', folder: 'wallet/', screens: wallet },
  { title: 'Mails', folder: MAIL, screens: PREVIEW_MAILS },
] as const

/** Previews every screen and mail with the edited brand. */
export function BrandPreview({
  brand,
  mail,
  shown,
  onShow,
}: {
  brand: PreviewBrand | null
  mail: PreviewedMail | null
  shown: PreviewView
  onShow: (view: PreviewView) => void
}) {
  const { screen, scheme, device } = shown
  const isMail = previewedMail(shown) !== undefined
  const message = useMemo(
    () => (isMail ? { mail: mail?.html ?? '' } : { brand, scheme }),
    [isMail, mail, brand, scheme],
  )
  return (
    <section className={styles.sample} aria-label="Preview" data-device={device}>
      <SelectField
        label="Screen or mail"
        value={screen}
        onChange={({ currentTarget }) => onShow({ ...shown, screen: currentTarget.value })}
      >
        {GROUPS.map(({ title, folder, screens }) => (
          <optgroup key={title} label={title}>
            {Object.entries(screens).map(([name, text]) => (
              <option key={name} value={`${folder}${name}`}>
                {text.charAt(0).toUpperCase() + text.slice(1)}
              </option>
            ))}
          </optgroup>
        ))}
      </SelectField>
      <div className={styles.switches}>
        <Switch
          values={['desktop', 'phone']}
          value={device}
          onChange={(next) => onShow({ ...shown, device: next })}
        />
        <Switch
          values={['light', 'dark']}
          value={scheme}
          onChange={(next) => onShow({ ...shown, scheme: next })}
        />
      </div>
      {brand === null ? (
        <p className={styles.quiet}>The preview appears once the brand has a name and a color.</p>
      ) : (
        <>
          {isMail && mail && <p>Subject: {mail.subject}</p>}
          <Frame
            key={isMail ? MAIL : screen}
            path={isMail ? 'mail' : screen}
            device={device}
            title={`${brand.name} on a ${device}, ${scheme}`}
            message={message}
          />
          {isMail && mail && (
            <details>
              <summary>As text</summary>
              <pre className={styles.mailText}>{mail.text}</pre>
            </details>
          )}
        </>
      )}
    </section>
  )
}

/** The window sizes of the devices, repeated in `organizations.module.css`. */
const WINDOWS = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 760 } }

/** The height above and below the frame, so that the whole frame fits on the screen. */
const AROUND_PX = 380

/**
 * A document with an opaque origin, as wide as the device's window and scaled to fit. It requests its content when it is
 * ready, and receives every change.
 */
function Frame({
  path,
  device,
  title,
  message,
}: {
  path: string
  device: PreviewView['device']
  title: string
  message: unknown
}) {
  const frame = useRef<HTMLIFrameElement>(null)
  const stage = useRef<HTMLDivElement>(null)
  const latest = useRef(message)
  useEffect(() => {
    const element = stage.current
    if (element === null) return
    const { width, height } = WINDOWS[device]
    const fit = () => {
      const scale = Math.min(
        1,
        element.clientWidth / width,
        Math.max(320, window.innerHeight - AROUND_PX) / height,
      )
      element.style.setProperty('--scale', String(scale))
    }
    fit()
    window.addEventListener('resize', fit)
    return () => window.removeEventListener('resize', fit)
  }, [device])
  useEffect(() => {
    latest.current = message
    // An opaque origin has no name. The console's policy keeps other sites out of the frame.
    frame.current?.contentWindow?.postMessage(message, '*')
  }, [message])
  useEffect(() => {
    const onMessage = ({ source, data }: MessageEvent) => {
      const target = frame.current?.contentWindow
      if (target && source === target && data === PREVIEW_READY) {
        target.postMessage(latest.current, '*')
      }
    }
    window.addEventListener('message', onMessage)
    return () => window.removeEventListener('message', onMessage)
  }, [])
  return (
    <div ref={stage} className={styles.stage} data-device={device}>
      <iframe ref={frame} title={title} src={`${PREVIEW_PATH}/${path}`} sandbox="allow-scripts" />
    </div>
  )
}

function Switch<Value extends string>({
  values,
  value,
  onChange,
}: {
  values: readonly Value[]
  value: Value
  onChange: (value: Value) => void
}) {
  return (
    <fieldset className={styles.switch}>
      <legend>{values.join(' or ')}</legend>
      {values.map((each) => (
        <button
          key={each}
          type="button"
          aria-pressed={each === value}
          onClick={() => onChange(each)}
        >
          {each}
        </button>
      ))}
    </fieldset>
  )
}
