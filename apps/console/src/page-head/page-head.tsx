import { Link } from '@portico/ui/link'
import { type ReactNode, useEffect, useRef } from 'react'
import styles from './page-head.module.css'

/** The document's title of the page before; undefined on the first one, which keeps the focus where the browser has it. */
let shown: string | undefined

/** The heading of a page, which gets the focus when the page opens, and the page's actions. */
export function PageHead({
  title,
  documentTitle = typeof title === 'string' ? title : '',
  back,
  facts,
  children,
}: {
  title: ReactNode
  /** For a title that is not a plain text. */
  documentTitle?: string
  /** The list that contains this page's object. */
  back?: { readonly href: string; readonly title: string }
  /** One line below the title. */
  facts?: ReactNode
  /** Actions. */
  children?: ReactNode
}) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    const { pathname } = window.location
    document.title = `${documentTitle} | Portico console`
    if (shown !== undefined && shown !== pathname) heading.current?.focus({ preventScroll: true })
    shown = pathname
  }, [documentTitle])
  return (
    <div className={styles.head}>
      {back && (
        <p className={styles.back}>
          <Link href={back.href}>{back.title}</Link>
        </p>
      )}
      <div className={styles.line}>
        <div className={styles.title}>
          <h1
            ref={heading}
            tabIndex={-1}
            // The parts of an address, between which it may wrap, would be read one by one.
            aria-label={typeof title === 'string' ? undefined : documentTitle}
            data-long={documentTitle.length > 24 || undefined}
          >
            {typeof title === 'string' ? <bdi>{title}</bdi> : title}
          </h1>
          {facts && <div className={styles.facts}>{facts}</div>}
        </div>
        {children && <div className={styles.actions}>{children}</div>}
      </div>
    </div>
  )
}
