import styles from './strength-meter.module.css'

/** How strong a password is, 0 to 4; 3 is enough (§9). */
export type StrengthScore = 0 | 1 | 2 | 3 | 4

/** A score and one sentence on how to do better, or that it is good. */
export type StrengthMeterProps = { score: StrengthScore; advice: string }

const WORDS = ['Very weak', 'Weak', 'Almost there', 'Strong', 'Very strong'] as const
const SEGMENTS = [1, 2, 3, 4] as const

/**
 * Four segments and a sentence, announced politely. It is never red: nobody who has typed three
 * characters has done anything wrong yet; the refusal comes from the field, on submit.
 */
export function StrengthMeter({ score, advice }: StrengthMeterProps) {
  return (
    <div className={styles.meter} data-score={score}>
      <div
        className={styles.segments}
        role="meter"
        aria-label="Password strength"
        aria-valuemin={0}
        aria-valuemax={4}
        aria-valuenow={score}
        aria-valuetext={WORDS[score]}
      >
        {SEGMENTS.map((segment) => (
          <span key={segment} data-filled={segment <= score || undefined} />
        ))}
      </div>
      <p className={styles.advice} aria-live="polite">
        {advice}
      </p>
    </div>
  )
}
