import { Stack } from '@portico/ui/stack'

/** The landing page of the passport. */
export function Passport() {
  return (
    <Stack gap="inside">
      <h1 tabIndex={-1}>Passport</h1>
      <p>Who you are and how you may invest, proven once for every lender.</p>
      <p>When a lender asks you for it, you complete it here. Nothing waits for you now.</p>
    </Stack>
  )
}
