import { LinkButton } from '@portico/ui/link-button'

/** Returns from a section of the wallet modal to its account list. */
export function BackToList({ onBack }: { onBack: () => void }) {
  return (
    <p>
      <LinkButton onClick={onBack}>Back to the list of accounts</LinkButton>
    </p>
  )
}
