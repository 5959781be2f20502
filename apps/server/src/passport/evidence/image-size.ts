import { IMAGE_PIXELS_MAXIMUM } from '@portico/contracts/limits'

/** Whether a picture has more pixels than a reviewer's device can be expected to open. */
export const isTooLarge = ({ width, height }: { width: number; height: number }): boolean =>
  width * height > IMAGE_PIXELS_MAXIMUM
