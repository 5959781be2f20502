/** A brand's logo; where pages are dark, the one for dark pages. */
export function Logo({
  name,
  logoPath,
  darkLogoPath,
}: {
  name: string
  logoPath: string
  darkLogoPath?: string | undefined
}) {
  return (
    <picture>
      {darkLogoPath !== undefined && darkLogoPath !== logoPath && (
        <source srcSet={darkLogoPath} media="(prefers-color-scheme: dark)" />
      )}
      <img src={logoPath} alt={name} />
    </picture>
  )
}
