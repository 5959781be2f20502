import type { ErrorCode } from '@portico/contracts/errors'
import { IMAGE_PIXELS_MAXIMUM } from '@portico/contracts/limits'

export type EvidenceRefusal = Extract<
  ErrorCode,
  | 'file-damaged'
  | 'file-has-active-content'
  | 'file-has-password'
  | 'file-type-refused'
  | 'image-too-large'
>

/** Where the document or picture ends, or why it is refused. */
export type ContentCheck = { readonly contentBytes: number } | { readonly refusal: EvidenceRefusal }

/** Whether a picture has more pixels than a reviewer's device can be expected to open. */
export const isTooLarge = ({ width, height }: { width: number; height: number }): boolean =>
  width * height > IMAGE_PIXELS_MAXIMUM
