// What s3rver 3.7.1 exports and this suite uses; it has no types.
declare module 's3rver' {
  import type { AddressInfo } from 'node:net'

  export default class S3rver {
    constructor(options: {
      readonly address: string
      readonly port: number
      readonly silent: boolean
      readonly directory: string
      readonly configureBuckets: readonly { readonly name: string; readonly configs: readonly [] }[]
    })
    run(): Promise<AddressInfo>
    close(): Promise<void>
  }
}
