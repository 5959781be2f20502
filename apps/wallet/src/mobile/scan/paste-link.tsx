import { Button } from '@portico/ui/button'
import { TextField } from '@portico/ui/text-field'
import { Screen } from '@portico/wallet-kit/screen'
import { useId, useState } from 'react'
import { codeKind } from './code-kind.ts'

/** Connects with the link of a code, where it cannot be scanned. */
export function PasteLink({
  onCode,
  onBack,
}: {
  onCode: (uri: string) => void
  onBack: () => void
}) {
  const form = useId()
  const [error, setError] = useState<string>()
  return (
    <Screen
      title="Paste a link"
      actions={
        <>
          <Button kind="secondary" onClick={onBack}>
            Back
          </Button>
          <Button type="submit" form={form}>
            Connect
          </Button>
        </>
      }
    >
      <p>On the page that shows the code, choose “Copy link to QR”, then paste the link here.</p>
      <form
        id={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          const link = new FormData(event.currentTarget).get('link')
          const code = codeKind(typeof link === 'string' ? link : '')
          if (code.kind === 'connection') onCode(code.uri)
          else setError(link === '' ? 'Paste the link first.' : code.reason)
        }}
      >
        <TextField
          label="Link"
          name="link"
          error={error}
          inputMode="url"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={() => setError(undefined)}
        />
      </form>
    </Screen>
  )
}
