import { shortAddress } from '@portico/rules/short-address'
import type { ActingAs } from '../approval-prompt.ts'
import { UntrustedText } from '../untrusted-text.tsx'

/** 'Everyday', or 'Everyday, acting for Larch Partners'. */
export function Acting({ account, group }: ActingAs) {
  return (
    <>
      <UntrustedText>{account.name}</UntrustedText>
      {group && (
        <>
          , acting for <UntrustedText>{group.name || shortAddress(group.address)}</UntrustedText>
        </>
      )}
    </>
  )
}
