/** A brand's logo, with its dark variant in dark mode. */
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
