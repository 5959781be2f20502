import { focusHere } from '@portico/shell/form'
import { Button } from '@portico/ui/button'
import { Icon } from '@portico/ui/icon'
import { Spinner } from '@portico/ui/spinner'
import {
  type ReactNode,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { useMobileEnvironment } from '../environment.ts'
import type { CameraFailure } from './camera.ts'
import { codeKind } from './code-kind.ts'
import { PasteLink } from './paste-link.tsx'
import styles from './scan.module.css'
import { scanFrames, scanPicture } from './scan-frames.ts'

const FAILURES = {
  refused: {
    title: 'The camera is not allowed',
    advice:
      'Allow it in the settings of this site: in most browsers, tap the icon beside the address. On an iPhone: Settings, Apps, your browser, Camera.',
  },
  missing: {
    title: 'No camera was found',
    advice:
      'Copy the link below the code on the page and paste it here, or choose a picture of the code.',
  },
  'in-use': {
    title: 'The camera is in use',
    advice: 'Close other apps that use the camera, then try again.',
  },
  unsupported: {
    title: 'This page cannot use the camera',
    advice: 'Open it over https in an up-to-date browser, or paste the link of the code.',
  },
} as const satisfies Record<CameraFailure, { title: string; advice: string }>

/** Reads the connection code of a page with the camera, from a link or from a picture. */
export function Scan({ onCode }: { onCode: (uri: string) => void }) {
  const { camera, openDecoder, isInTap, reportError } = useMobileEnvironment()
  const state = useSyncExternalStore(camera.subscribe, camera.state, camera.state)
  const [decoder] = useState(openDecoder)
  const [notice, setNotice] = useState<string>()
  const [isPasting, setIsPasting] = useState(false)
  const chooser = useRef<HTMLInputElement>(null)

  const startInTap = useEffectEvent(() => {
    // The tap that opened this screen is as good as the one on its button.
    if (isInTap()) camera.start().catch(reportError)
  })
  useEffect(() => {
    startInTap()
    return () => {
      camera.stop()
      decoder.close()
    }
  }, [camera, decoder])

  function handle(text: string): void {
    const code = codeKind(text)
    if (code.kind === 'other') return setNotice(`${code.reason} Scan the code that the page shows.`)
    camera.stop()
    onCode(code.uri)
  }

  async function readPicture(file: File): Promise<void> {
    const text = await scanPicture(file, decoder)
    if (text === undefined) setNotice('No code was found in this picture. Choose a sharper one.')
    else handle(text)
  }

  if (isPasting) {
    return <PasteLink onCode={onCode} onBack={() => setIsPasting(false)} />
  }
  return (
    <main className={styles.scan} data-step={state.step}>
      <h1 className={styles.title} ref={focusHere} tabIndex={-1}>
        Scan the code
      </h1>
      {state.step === 'on' ? (
        <Viewfinder stream={state.stream}>
          {(video, signal) => scanFrames(video, decoder, { signal, onCode: handle })}
        </Viewfinder>
      ) : (
        <div className={styles.message}>
          {state.step === 'failed' ? (
            <>
              <Icon name="warning" />
              <h2>{FAILURES[state.failure].title}</h2>
              <p>{FAILURES[state.failure].advice}</p>
            </>
          ) : (
            state.step === 'off' && <p>The page you want to connect to shows a square code.</p>
          )}
          {state.step === 'starting' ? (
            <Spinner label="Starting the camera…" />
          ) : (
            <Button onClick={() => void camera.start().catch(reportError)}>
              {state.step === 'failed' ? 'Try again' : 'Turn on the camera'}
            </Button>
          )}
        </div>
      )}
      <p className={styles.notice} role="status">
        {notice ?? (state.step === 'on' && 'Hold the code in the square.')}
      </p>
      <div className={styles.actions}>
        {state.step === 'on' && state.torch !== undefined && (
          <button
            type="button"
            aria-pressed={state.torch}
            onClick={() => void camera.switchTorch().catch(reportError)}
          >
            <Icon name="torch" />
            Light
          </button>
        )}
        <button
          type="button"
          onClick={() => {
            camera.stop()
            setIsPasting(true)
          }}
        >
          <Icon name="link" />
          Paste a link
        </button>
        <button type="button" onClick={() => chooser.current?.click()}>
          <Icon name="picture" />
          Choose a picture
        </button>
        <input
          ref={chooser}
          hidden
          type="file"
          accept="image/*"
          aria-label="A picture with the code"
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? []
            // The same picture can be chosen again.
            currentTarget.value = ''
            if (file) void readPicture(file).catch(reportError)
          }}
        />
      </div>
    </main>
  )
}

/** The picture of the camera, with the square that the code belongs in. */
function Viewfinder({
  stream,
  children: scan,
}: {
  stream: MediaStream
  children: (video: HTMLVideoElement, signal: AbortSignal) => Promise<void>
}): ReactNode {
  const { reportError } = useMobileEnvironment()
  const video = useRef<HTMLVideoElement>(null)
  const start = useEffectEvent((element: HTMLVideoElement, signal: AbortSignal) => {
    element.srcObject = stream
    // Interrupted if the user leaves at once.
    element.play().catch(() => undefined)
    scan(element, signal).catch(reportError)
  })
  useEffect(() => {
    const { current: element } = video
    const scanning = new AbortController()
    if (element) start(element, scanning.signal)
    return () => {
      scanning.abort()
      if (element) element.srcObject = null
    }
  }, [stream])
  return (
    <>
      <video
        ref={video}
        className={styles.video}
        muted
        playsInline
        aria-label="The camera’s picture"
      />
      <div className={styles.square} aria-hidden="true" />
    </>
  )
}
