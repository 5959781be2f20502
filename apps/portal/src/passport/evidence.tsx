import type { PassportFile, SavedSection } from '@portico/contracts/passport'
import { downloadPassportFile, removePassportFile } from '@portico/contracts/passport-files'
import { useFlow } from '@portico/flow/react'
import { formatDate } from '@portico/rules/format'
import { FailureAlert } from '@portico/shell/failure-alert'
import { useReturnFocus } from '@portico/shell/return-focus'
import { useCall } from '@portico/shell/use-call'
import { Button } from '@portico/ui/button'
import { Dialog } from '@portico/ui/dialog'
import { Icon } from '@portico/ui/icon'
import { LinkButton } from '@portico/ui/link-button'
import { ProgressBar } from '@portico/ui/progress-bar'
import { Stack } from '@portico/ui/stack'
import { VisuallyHidden } from '@portico/ui/visually-hidden'
import {
  type ChangeEvent,
  type DragEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import { useEnvironment } from '../environment.ts'
import { ACCEPTED_EXTENSIONS, fileError, formatFileSize } from '../file-names.ts'
import styles from './evidence.module.css'
import { type State, uploadFile } from './upload-file.flow.ts'
import { uploadFileServices } from './upload-file.services.ts'

/** A selected file. `resumes` is its interrupted upload, for example after leaving the page. */
interface SelectedFile {
  readonly key: number
  readonly file: File
  readonly resumes: PassportFile | undefined
  /** Whether it was refused, and stays in the list only to say why. */
  readonly isRefused: boolean
}

export type EvidenceProps = {
  passportUuid: string
  /** All files, including this user's unfinished uploads. */
  files: readonly PassportFile[]
  onFiles: (change: (files: readonly PassportFile[]) => readonly PassportFile[]) => void
  /** Called when the files of the section have changed. */
  onSection: (section: SavedSection) => void
  /** Called with the number of uploads in progress. */
  onUploads: (count: number) => void
  supportPhone: string
}

/** The attestation's evidence files: adding, progress, resuming, downloading and removing. */
export function Evidence({
  passportUuid,
  files,
  onFiles,
  onSection,
  onUploads,
  supportPhone,
}: EvidenceProps) {
  const [chosen, setChosen] = useState<readonly SelectedFile[]>([])
  const keys = useRef(0)
  const uploads = chosen.filter(({ isRefused }) => !isRefused).length
  const report = useEffectEvent(onUploads)
  useEffect(() => report(uploads), [uploads])

  const isResumed = ({ fileUuid }: PassportFile) =>
    chosen.some(({ resumes }) => resumes?.fileUuid === fileUuid)
  const unfinished = files.filter((file) => file.type === null && !isResumed(file))
  const choose = (list: readonly File[]) => {
    const found = list.map((file): SelectedFile => {
      keys.current += 1
      const resumes = unfinished.find((each) => isSameFile(each, file))
      return { key: keys.current, file, resumes, isRefused: fileError(file) !== undefined }
    })
    setChosen((before) => [...before, ...found])
  }
  const close = ({ key }: SelectedFile) =>
    setChosen((before) => before.filter((each) => each.key !== key))
  const refuse = ({ key }: SelectedFile) =>
    setChosen((before) =>
      before.map((each) => (each.key === key ? { ...each, isRefused: true } : each)),
    )
  const withoutFile = (fileUuid: string) => (before: readonly PassportFile[]) =>
    before.filter((each) => each.fileUuid !== fileUuid)

  return (
    <Stack gap="inside">
      <DropZone onFiles={choose} />
      {files.length + chosen.length > 0 && (
        <ul className={styles.files} aria-label="Your files">
          {files
            .filter(({ type }) => type !== null)
            .map((file) => (
              <AddedFile
                key={file.fileUuid}
                file={file}
                supportPhone={supportPhone}
                onRemoved={(section) => {
                  onFiles(withoutFile(file.fileUuid))
                  if (section !== null) onSection(section)
                }}
              />
            ))}
          {unfinished.map((file) => (
            <UnfinishedFile
              key={file.fileUuid}
              file={file}
              onFiles={choose}
              supportPhone={supportPhone}
              onRemoved={() => onFiles(withoutFile(file.fileUuid))}
            />
          ))}
          {chosen.map((each) => (
            <Upload
              key={each.key}
              passportUuid={passportUuid}
              chosen={each}
              supportPhone={supportPhone}
              onClosed={() => {
                if (each.resumes !== undefined) onFiles(withoutFile(each.resumes.fileUuid))
                close(each)
              }}
              onRefused={() => refuse(each)}
              onComplete={(file, section) => {
                // Not the same one, if the server no longer had the upload.
                const replaced = [file.fileUuid, each.resumes?.fileUuid]
                onFiles((before) => [
                  ...before.filter(({ fileUuid }) => !replaced.includes(fileUuid)),
                  file,
                ])
                onSection(section)
                close(each)
              }}
            />
          ))}
        </ul>
      )}
    </Stack>
  )
}

const isSameFile = (upload: PassportFile, { size, lastModified }: File) =>
  upload.bytes === size && upload.modifiedAt === lastModified

function DropZone({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const [isOver, setOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const camera = useRef<HTMLInputElement>(null)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    onFiles([...event.dataTransfer.files])
  }
  return (
    // Drag and drop is a shortcut for the buttons.
    <div
      className={styles.zone}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <p id="evidence-hint">
        For example a letter from your accountant, tax returns or account statements. PDF, JPEG or
        PNG, at most 20 MB each.
      </p>
      <p className={styles.drop}>Drop files here, or:</p>
      <div className={styles.buttons}>
        <span className={styles.camera}>
          <Button kind="secondary" onClick={() => camera.current?.click()}>
            Take a photo
          </Button>
        </span>
        <Button
          kind="secondary"
          aria-describedby="evidence-hint"
          onClick={() => input.current?.click()}
        >
          Choose files
        </Button>
      </div>
      <FileInput ref={input} label="Files" multiple onFiles={onFiles} />
      <FileInput ref={camera} label="Photo" accept="image/jpeg" capture onFiles={onFiles} />
    </div>
  )
}

/** A native input that a button opens. */
function FileInput({
  ref,
  label,
  accept = ACCEPTED_EXTENSIONS.join(','),
  multiple = false,
  capture = false,
  onFiles,
}: {
  ref: RefObject<HTMLInputElement | null>
  label: string
  accept?: string
  multiple?: boolean
  capture?: boolean
  onFiles: (files: readonly File[]) => void
}) {
  const change = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const files = [...(currentTarget.files ?? [])]
    // Allows choosing the same file again.
    currentTarget.value = ''
    onFiles(files)
  }
  return (
    <input
      ref={ref}
      type="file"
      aria-label={label}
      hidden
      accept={accept}
      multiple={multiple}
      {...(capture && { capture: 'environment' as const })}
      onChange={change}
    />
  )
}

type RowProps = {
  file: PassportFile
  supportPhone: string
  onRemoved: (section: SavedSection | null) => void
}

function AddedFile({ file, supportPhone, onRemoved }: RowProps) {
  const { client, download, reportError } = useEnvironment()
  const { pending, failure, run } = useCall(reportError)
  const [isRemoving, setRemoving] = useState(false)
  const { fileUuid, name, bytes, addedAt } = file
  const save = async (signal: AbortSignal) =>
    download(name, await client(downloadPassportFile, { query: { fileUuid }, signal }))
  return (
    <li className={styles.file} data-state="ok">
      <Icon name="ok" />
      <div className={styles.words}>
        <p className={styles.name} dir="auto">
          {name}
        </p>
        <p className={styles.facts}>
          {formatFileSize(bytes)}, added {formatDate(addedAt)}
        </p>
        <FailureAlert failure={failure} supportPhone={supportPhone} />
        <p className={styles.actions}>
          <LinkButton onClick={() => run(save, () => undefined)} disabled={pending}>
            Download
            <VisuallyHidden> {name}</VisuallyHidden>
          </LinkButton>
          <LinkButton onClick={() => setRemoving(true)} disabled={pending}>
            Remove
            <VisuallyHidden> {name}</VisuallyHidden>
          </LinkButton>
        </p>
      </div>
      {isRemoving && (
        <RemoveDialog
          file={file}
          supportPhone={supportPhone}
          onRemoved={onRemoved}
          onClose={() => setRemoving(false)}
        />
      )}
    </li>
  )
}

function RemoveDialog({
  file: { fileUuid, name },
  supportPhone,
  onRemoved,
  onClose,
}: RowProps & { onClose: () => void }) {
  const { client, reportError } = useEnvironment()
  const { pending, failure, run } = useCall(reportError)
  useReturnFocus()
  const remove = (signal: AbortSignal) => client(removePassportFile, { body: { fileUuid }, signal })
  return (
    <Dialog open title="Remove this file?" onClose={onClose}>
      <Stack>
        <FailureAlert failure={failure} supportPhone={supportPhone} />
        <p>
          <strong dir="auto">{name}</strong> is deleted here, not on your device.
        </p>
        <Stack gap="inside">
          <Button
            kind="danger"
            wide
            busy={pending}
            busyLabel="Removing…"
            onClick={() => run(remove, ({ section }) => onRemoved(section))}
          >
            Remove
          </Button>
          <Button kind="secondary" wide onClick={onClose}>
            Keep
          </Button>
        </Stack>
      </Stack>
    </Dialog>
  )
}

/** An upload that was interrupted by leaving the page, which no longer has access to the file. */
function UnfinishedFile({
  file,
  supportPhone,
  onFiles,
  onRemoved,
}: RowProps & { onFiles: (files: readonly File[]) => void }) {
  const { client, reportError } = useEnvironment()
  const { pending, failure, run } = useCall(reportError)
  const [isOther, setOther] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const { fileUuid, name, bytes, receivedBytes } = file
  const choose = (files: readonly File[]) => {
    const [found] = files
    if (found === undefined) return
    setOther(!isSameFile(file, found))
    if (isSameFile(file, found)) onFiles(files)
  }
  const remove = (signal: AbortSignal) => client(removePassportFile, { body: { fileUuid }, signal })
  return (
    <li className={styles.file}>
      <Icon name="clock" />
      <div className={styles.words}>
        <p className={styles.name} dir="auto">
          {name}
        </p>
        <p className={styles.facts}>
          Interrupted at {percent(receivedBytes, bytes)}%. Choose this file again to continue.
        </p>
        {isOther && <RowError text="This is another file, or it was changed." />}
        <FailureAlert failure={failure} supportPhone={supportPhone} />
        <p className={styles.actions}>
          <LinkButton onClick={() => input.current?.click()} disabled={pending}>
            Choose again
            <VisuallyHidden> {name}</VisuallyHidden>
          </LinkButton>
          <LinkButton onClick={() => run(remove, () => onRemoved(null))} disabled={pending}>
            Remove
            <VisuallyHidden> {name}</VisuallyHidden>
          </LinkButton>
        </p>
        <FileInput ref={input} label={`The file ${name}`} onFiles={choose} />
      </div>
    </li>
  )
}

type UploadProps = {
  passportUuid: string
  chosen: SelectedFile
  supportPhone: string
  onClosed: () => void
  onRefused: () => void
  onComplete: (file: PassportFile, section: SavedSection) => void
}

/** A file that the server would refuse is not sent. */
function Upload(props: UploadProps) {
  const { file } = props.chosen
  const error = fileError(file)
  if (error === undefined) return <RunningUpload {...props} />
  return (
    <RefusedFile name={file.name} onClosed={props.onClosed}>
      <RowError text={error} />
    </RefusedFile>
  )
}

function RunningUpload({
  passportUuid,
  chosen: { file, resumes },
  supportPhone,
  onClosed,
  onRefused,
  onComplete,
}: UploadProps) {
  const { client, network, reportError } = useEnvironment()
  const { fileUuid, receivedBytes = 0 } = resumes ?? {}
  const [state, send] = useFlow(uploadFile, {
    input: { fileUuid, receivedBytes },
    services: uploadFileServices({ client, passportUuid, file }),
    report: reportError,
  })
  const end = useEffectEvent((last: State) => {
    if (last.step === 'complete') onComplete(last.file, last.section)
    if (last.step === 'refused') onRefused()
    if (last.step === 'canceled') onClosed()
  })
  useEffect(() => end(state), [state])
  const isInterrupted = state.step === 'interrupted'
  useEffect(() => {
    if (!isInterrupted) return
    return network.watch(() => {
      if (network.isOnline()) send({ type: 'continued' })
    })
  }, [isInterrupted, network, send])
  return (
    <UploadView
      name={file.name}
      bytes={file.size}
      state={state}
      supportPhone={supportPhone}
      onContinue={() => send({ type: 'continued' })}
      onCancel={() => send({ type: 'canceled' })}
      onClose={onClosed}
    />
  )
}

export function UploadView({
  name,
  bytes,
  state,
  supportPhone,
  onContinue,
  onCancel,
  onClose,
}: {
  name: string
  bytes: number
  state: State
  supportPhone: string
  onContinue: () => void
  onCancel: () => void
  onClose: () => void
}) {
  switch (state.step) {
    case 'complete':
    case 'canceled':
      return null
    case 'refused':
      return (
        <RefusedFile name={name} onClosed={onClose}>
          <FailureAlert failure={state.failure} supportPhone={supportPhone} />
        </RefusedFile>
      )
    case 'sending':
    case 'interrupted': {
      const sent = percent(state.receivedBytes, bytes)
      const isInterrupted = state.step === 'interrupted'
      return (
        <li className={styles.file} data-state={isInterrupted ? 'warn' : undefined}>
          <Icon name={isInterrupted ? 'warning' : 'clock'} />
          <div className={styles.words}>
            <p className={styles.name} dir="auto">
              {name}
            </p>
            <ProgressBar value={sent} max={100} label={`Upload of ${name}`} />
            <p className={styles.facts}>
              {isInterrupted ? `Interrupted at ${sent}%` : progressText(sent, bytes)}
            </p>
            {isInterrupted && <FailureAlert failure={state.failure} supportPhone={supportPhone} />}
            <p className={styles.actions}>
              {isInterrupted && (
                <LinkButton onClick={onContinue}>
                  Continue
                  <VisuallyHidden> {name}</VisuallyHidden>
                </LinkButton>
              )}
              <LinkButton onClick={onCancel}>
                Cancel
                <VisuallyHidden> {name}</VisuallyHidden>
              </LinkButton>
            </p>
          </div>
        </li>
      )
    }
  }
}

function RefusedFile({
  name,
  onClosed,
  children,
}: {
  name: string
  onClosed: () => void
  children: ReactNode
}) {
  return (
    <li className={styles.file} data-state="danger">
      <Icon name="danger" />
      <div className={styles.words}>
        <p className={styles.name} dir="auto">
          {name}
        </p>
        {children}
        <p className={styles.actions}>
          <LinkButton onClick={onClosed}>
            Close
            <VisuallyHidden> {name}</VisuallyHidden>
          </LinkButton>
        </p>
      </div>
    </li>
  )
}

const RowError = ({ text }: { text: string }) => (
  <p className={styles.error} role="alert">
    {text}
  </p>
)

const percent = (part: number, all: number) => Math.floor((100 * part) / all)

const progressText = (sent: number, bytes: number) =>
  sent === 100 ? 'Checking the file…' : `${sent}% of ${formatFileSize(bytes)}`
