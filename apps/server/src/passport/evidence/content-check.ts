import type { ErrorCode } from '@portico/contracts/errors'
import { MAX_IMAGE_PIXELS } from '@portico/contracts/limits'

export type EvidenceRefusal = Extract<
  ErrorCode,
  | 'file-damaged'
  | 'file-has-active-content'
  | 'file-has-password'
  | 'file-type-refused'
  | 'image-too-large'
>

/** Where the document or image ends, or why it is rejected. */
export type ContentCheck = { readonly contentBytes: number } | { readonly refusal: EvidenceRefusal }

/** Whether an image has more pixels than a reviewer's device can be expected to open. */
export const isTooLarge = ({ width, height }: { width: number; height: number }): boolean =>
  width * height > MAX_IMAGE_PIXELS
