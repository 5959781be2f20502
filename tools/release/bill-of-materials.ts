/** The packages of a release as a CycloneDX document, which vulnerability scanners read. */
import { Contrib, Enums, Models, Serialize, Spec, Validation } from '@cyclonedx/cyclonedx-library'
import { PackageURL } from 'packageurl-js'
import type { ProductionPackage } from './production-packages.ts'

const HASHES: Readonly<Record<string, Enums.HashAlgorithm>> = {
  sha512: Enums.HashAlgorithm['SHA-512'],
  sha1: Enums.HashAlgorithm['SHA-1'],
}

/**
 * Lists the packages with their hashes, licenses and dependencies. It has no time or serial number, so that releases are
 * reproducible.
 *
 * @throws Error - when the document does not match the CycloneDX schema
 */
export async function billOfMaterials(release: {
  readonly version: string
  readonly packages: readonly ProductionPackage[]
  readonly direct: readonly string[]
}): Promise<string> {
  const { version, packages, direct } = release
  const licenses = new Contrib.License.Factories.LicenseFactory(requireExpression)
  const components = new Map(
    packages.map((each) => {
      const component = new Models.Component(Enums.ComponentType.Library, each.name, {
        bomRef: each.folder,
        version: each.version,
        purl: packageUrl(each),
      })
      const [algorithm = '', digest = ''] = each.integrity.split('-')
      const hash = HASHES[algorithm]
      if (hash === undefined) throw new Error(`${each.folder} has a ${algorithm} hash`)
      component.hashes.set(hash, Buffer.from(digest, 'base64').toString('hex'))
      if (each.license !== undefined) {
        component.licenses.add(licenses.makeFromString(each.license))
      }
      return [each.folder, component] as const
    }),
  )
  const dependOn = (component: Models.Component, folders: readonly string[]) => {
    for (const folder of folders) {
      const dependency = components.get(folder)
      if (dependency !== undefined) component.dependencies.add(dependency.bomRef)
    }
  }
  const portico = new Models.Component(Enums.ComponentType.Application, 'portico', {
    bomRef: 'portico',
    version,
  })
  dependOn(portico, direct)
  const document = new Models.Bom({ metadata: new Models.Metadata({ component: portico }) })
  for (const each of packages) {
    const component = components.get(each.folder)
    if (component === undefined) continue
    dependOn(component, each.dependencies)
    document.components.add(component)
  }
  const serializer = new Serialize.JsonSerializer(
    new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6),
  )
  const text = serializer.serialize(document, { sortLists: true, space: 2 })
  const error = await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text)
  if (error !== null) throw new Error(`The bill of materials is invalid: ${JSON.stringify(error)}`)
  return `${text}\n`
}

/** Distinguishes an SPDX license expression from a license name that SPDX does not list. */
function requireExpression(license: string): void {
  if (!/ (?:AND|OR|WITH) /.test(license)) throw new RangeError(`${license} is not an expression`)
}

function packageUrl({ name, version }: ProductionPackage): string {
  const [scope, rest] = name.startsWith('@') ? name.split('/') : [undefined, name]
  return new PackageURL('npm', scope, rest, version).toString()
}
