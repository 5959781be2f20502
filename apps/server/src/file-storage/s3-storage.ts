import { hash } from 'node:crypto'
import { AwsClient } from 'aws4fetch'
import type { FileStorage } from './file-storage.ts'

/** The bucket's URL, with its name in the host or in the path, and the credentials. */
export interface S3Bucket {
  readonly url: string
  readonly region: string
  readonly keyId: string
  readonly secret: string
}

/** Precedes the file's ID and the part in an object key. */
const PREFIX = 'uploads/'
const TIMEOUT_MS = 10_000
/** Retries after transient errors such as 503. */
const RETRIES = 2

/** Stores each part as an object of an S3-compatible bucket. */
export function s3Storage({ url, region, keyId, secret }: S3Bucket): FileStorage {
  const client = new AwsClient({
    accessKeyId: keyId,
    secretAccessKey: secret,
    service: 's3',
    region,
    retries: RETRIES,
  })
  const bucket = url.endsWith('/') ? url : `${url}/`
  const objectUrl = (fileId: string, part: string) => `${bucket}${PREFIX}${fileId}/${part}`

  async function request(to: string, init: RequestInit = {}): Promise<Response> {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const response = await client.fetch(to, { ...init, signal })
    if (response.ok) return response
    await response.body?.cancel()
    throw new Error(`The file storage responded with ${response.status}`)
  }

  /** The pages of an object listing: the objects under a prefix, or the folders in it. */
  async function* listPages(parameters: Readonly<Record<string, string>>): AsyncGenerator<string> {
    let token: string | undefined
    do {
      const query = new URLSearchParams({
        'list-type': '2',
        ...parameters,
        ...(token === undefined ? {} : { 'continuation-token': token }),
      })
      const page = await (await request(`${bucket}?${query}`)).text()
      yield page
      token = elements(page, 'NextContinuationToken')[0]
    } while (token !== undefined)
  }

  return {
    async write(fileId, part, bytes) {
      // Views of shared memory cannot be sent, and no caller has one.
      const body = bytes as Uint8Array<ArrayBuffer>
      const headers = {
        'content-type': 'application/octet-stream',
        'x-amz-content-sha256': hash('sha256', bytes, 'hex'),
      }
      await request(objectUrl(fileId, part), { method: 'PUT', body, headers })
    },

    async read(fileId, part) {
      return new Uint8Array(await (await request(objectUrl(fileId, part))).arrayBuffer())
    },

    async *listFiles() {
      for await (const page of listPages({ prefix: PREFIX, delimiter: '/' })) {
        for (const folder of elements(page, 'CommonPrefixes')) {
          const [prefix = ''] = elements(folder, 'Prefix')
          yield prefix.slice(PREFIX.length, -1)
        }
      }
    },

    async listParts(fileId) {
      const prefix = `${PREFIX}${fileId}/`
      const parts: { name: string; modifiedAt: number }[] = []
      for await (const page of listPages({ prefix })) {
        for (const object of elements(page, 'Contents')) {
          const [key = ''] = elements(object, 'Key')
          const [modified = ''] = elements(object, 'LastModified')
          parts.push({ name: key.slice(prefix.length), modifiedAt: Date.parse(modified) })
        }
      }
      return parts
    },

    async removeParts(fileId, parts) {
      for (const part of parts) await request(objectUrl(fileId, part), { method: 'DELETE' })
    },
  }
}

/** The contents of the elements with this name. Our keys contain no characters that XML escapes. */
const elements = (xml: string, name: string): string[] =>
  Array.from(xml.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, 'gs')), ([, content = '']) =>
    content.replaceAll('&amp;', '&'),
  )
