import type { Passport } from '@portico/contracts/passport'
import { type PassportSection, SECTION_TITLES } from '@portico/contracts/passport-sections'
import { openDecisions } from '@portico/rules/passport-transitions'
import { Alert } from '@portico/ui/alert'
import styles from './passport.module.css'

/** Reviewers' messages to the investor, shown until the sections are resubmitted. */
export function ReviewMessages({
  history,
  sections,
}: {
  history: Passport['history']
  /** Only the messages about these sections. */
  sections?: readonly PassportSection[]
}) {
  return openDecisions(history)
    .filter(({ section }) => sections === undefined || sections.includes(section))
    .map(({ section, event, reason }) =>
      reason === null ? null : (
        <Alert
          key={section}
          tone={event === 'denied' ? 'danger' : 'warn'}
          title={`${SECTION_TITLES[section]}: ${event === 'denied' ? 'not approved' : 'more is needed'}`}
        >
          <p className={styles.message} dir="auto">
            {reason}
          </p>
        </Alert>
      ),
    )
}
