/** Creates organizations without a file: entered here, or imported from a configuration folder. */
import {
  ConfigurationFile,
  importOrganizations,
  saveOrganizationDraft,
} from '@portico/contracts/admin/organizations'
import { OrgCode } from '@portico/contracts/organization'
import { FailureAlert } from '@portico/shell/failure-alert'
import { useCall } from '@portico/shell/use-call'
import { Alert } from '@portico/ui/alert'
import { Button } from '@portico/ui/button'
import { Dialog } from '@portico/ui/dialog'
import { Stack } from '@portico/ui/stack'
import { TextField } from '@portico/ui/text-field'
import { type SubmitEvent, useState } from 'react'
import { useEnvironment } from '../environment.ts'
import { openPage } from '../location.ts'
import { useOperator } from '../operator/operator.tsx'
import { errorOf, otherErrors } from '../organization-fields.ts'
import { objectPath } from '../routes.ts'
import styles from './organizations.module.css'

type Errors = Parameters<typeof otherErrors>[0]

/** Saves a first draft. Pages show the organization when it is published. */
export function CreateOrganization({ onClose }: { onClose: () => void }) {
  const { client } = useOperator()
  const { page, reportError } = useEnvironment()
  const { pending, failure, run } = useCall(reportError)
  const [values, setValues] = useState({
    orgCode: '',
    name: '',
    brandColor: '',
    host: '',
    base: '',
  })
  const [errors, setErrors] = useState<Errors>([])
  const field = (name: keyof typeof values, path: string) => ({
    value: values[name],
    error: errorOf(path, errors),
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      setValues((before) => ({ ...before, [name]: currentTarget.value })),
  })
  const create = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const orgCode = values.orgCode.trim()
    if (!OrgCode.safeParse(orgCode).success) {
      const message = 'must have capital letters, digits and underscores only'
      setErrors([{ orgCode: null, field: 'orgCode', message }])
      return
    }
    const content = {
      orgCode,
      orgBrand: orgCode.toLowerCase(),
      companyInfo: { name: values.name.trim() },
      ...(values.brandColor !== '' && { brandColor: values.brandColor.trim() }),
      ...(values.host !== '' && { hosts: [values.host.trim()] }),
      ...(values.base !== '' && { extends: values.base.trim() }),
    }
    run(
      (signal) =>
        client(saveOrganizationDraft, {
          body: { orgCode, content, revision: 0, baseVersion: 0 },
          signal,
        }),
      (answer) => {
        if (answer.outcome === 'saved') openPage(objectPath('organizations', orgCode))
        else if (answer.outcome === 'invalid') setErrors(answer.errors)
        else {
          const message = 'is the code of another organization'
          setErrors([{ orgCode: null, field: 'orgCode', message }])
        }
      },
    )
  }
  // The same response for a code of another organization and for a new one, so the text must fit both.
  const isForeign = failure?.reason === 'not-found'
  const others = otherErrors(errors).filter(({ field: path }) => path !== 'orgCode')
  return (
    <Dialog open title="New organization" onClose={onClose}>
      <form onSubmit={create}>
        <Stack>
          <TextField
            label="Code"
            hint="Such as QUINCEFIELD. It cannot be changed later."
            spellCheck={false}
            required
            {...field('orgCode', 'orgCode')}
            {...(isForeign && {
              error:
                'Your roles do not cover this code. An operator of all organizations can create it.',
            })}
          />
          <TextField label="Name" required {...field('name', 'companyInfo.name')} />
          <TextField
            label="Brand color"
            placeholder="#rrggbb"
            {...field('brandColor', 'brandColor')}
          />
          <TextField
            label="Host name (optional)"
            hint="Such as login.quincefield.com. It needs a DNS record before it is published."
            spellCheck={false}
            {...field('host', 'hosts.0')}
          />
          <TextField
            label="Inherits from (optional)"
            hint="The code of another organization; the default organization if empty."
            spellCheck={false}
            {...field('base', 'extends')}
          />
          {others.length > 0 && (
            <Alert tone="danger">
              {others.map(({ field: path, message }) => (
                <p key={`${path} ${message}`}>
                  {path} {message}
                </p>
              ))}
            </Alert>
          )}
          <FailureAlert
            failure={isForeign ? undefined : failure}
            supportPhone={page.supportPhone}
          />
          <div className={styles.choices}>
            <Button type="submit" busy={pending} busyLabel="Creating…">
              Create draft
            </Button>
          </div>
        </Stack>
      </form>
    </Dialog>
  )
}

/** Saves the files of a configuration folder as drafts. */
export function ImportOrganizations({ onClose }: { onClose: () => void }) {
  const { client } = useOperator()
  const { page, reportError } = useEnvironment()
  const { pending, failure, run } = useCall(reportError)
  const [results, setResults] = useState<readonly string[]>([])
  const read = (chosen: FileList) =>
    run(
      async (signal) => {
        const named = Array.from(chosen, (file, index) => ({ file, path: pathOf(file, index) }))
        const usable = named.flatMap(({ file, path }) => (path === undefined ? [] : { file, path }))
        const files = await Promise.all(
          usable.map(async ({ file, path }) => ({
            path,
            content: base64(new Uint8Array(await file.arrayBuffer())),
          })),
        )
        const { items } = await client(importOrganizations, { body: { files }, signal })
        return { items, named }
      },
      ({ items, named }) => {
        const unusable = named.filter(({ path }) => path === undefined)
        setResults([
          ...(items.length === 0 ? ['Choose at least one organization file.'] : []),
          ...items.map(({ path, orgCode, isSaved, errors }) => {
            const name = named.find((each) => each.path === path)?.file.name ?? path
            const found = errors.map(({ field, message }) => `${field} ${message}`.trim())
            return `${orgCode === null ? name : `${name}, ${orgCode}`}: ${[isSaved ? 'saved as a draft' : 'not saved', ...found].join('; ')}`
          }),
          ...unusable.map(
            ({ file: { name } }) =>
              `${name}: not imported. Organizations name logos and style sheets by names such as quincefield-dark.svg.`,
          ),
        ])
      },
    )
  return (
    <Dialog open title="Import organizations" onClose={onClose}>
      <Stack>
        <p>
          Choose the JSON files of organizations with their logos and style sheets. Each
          organization becomes a draft; nothing is published.
        </p>
        <label className={styles.files}>
          <span>{pending ? 'Importing…' : 'Files'} </span>
          <input
            type="file"
            multiple
            accept=".json,.svg,.png,.css"
            disabled={pending}
            // Otherwise choosing the same files again, after correcting them, is not a change.
            onClick={({ currentTarget }) => {
              currentTarget.value = ''
            }}
            onChange={({ currentTarget: { files } }) => files && files.length > 0 && read(files)}
          />
        </label>
        {results.length > 0 && (
          <ul aria-label="Result">
            {results.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        )}
        <FailureAlert failure={failure} supportPhone={page.supportPhone} />
        <div className={styles.choices}>
          <Button kind="secondary" onClick={onClose}>
            Close
          </Button>
        </div>
      </Stack>
    </Dialog>
  )
}

/** The file's path in a configuration folder; undefined if no organization can name it. */
function pathOf({ name }: File, index: number): string | undefined {
  // A document contains its organization's code, so its file may have any name, such as 'quincefield (1).json'.
  if (/\.json$/i.test(name)) return `organizations/${index}.json`
  const path = `${name.endsWith('.css') ? 'styles' : 'logos'}/${name}`
  return ConfigurationFile.safeParse({ path, content: '' }).success ? path : undefined
}

const base64 = (bytes: Uint8Array) =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
