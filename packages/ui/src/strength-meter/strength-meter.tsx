import styles from './strength-meter.module.css'

/** A password strength from 0 to 4; 3 is sufficient (§9). */
export type StrengthScore = 0 | 1 | 2 | 3 | 4

/** `advice` is one sentence on how to improve the password, or that it is strong. */
export type StrengthMeterProps = { score: StrengthScore; advice: string }

const WORDS = ['Very weak', 'Weak', 'Almost there', 'Strong', 'Very strong'] as const
const SEGMENTS = [1, 2, 3, 4] as const

/**
 * Four segments and a sentence, announced politely. It is never red, because an unfinished password
 * is not an error; the field shows an error on submit.
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
