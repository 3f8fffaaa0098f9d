import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { CORE_SCHEMA, load, loadAll, mergeTag } from 'js-yaml'

/** A process of the service as one of the examples in `deploy` starts it. */
export interface DeployedProcess {
  name: string
  command: string[]
  env: Record<string, string>
  /** The files with secrets that exist for it. */
  secretFiles: string[]
}

type Environment = Record<string, string>

const root = '/opt/age-verification-service/'

export function deployedProcesses(): DeployedProcess[] {
  return [...composeServices(), ...kubernetesPods(), ...systemdUnits()]
}

export interface Image {
  nodeVersion: string
  env: Environment
  command: string[]
  /** The paths of the repository that are copied into it. */
  sources: string[]
}

/** What `deploy/Dockerfile` says. */
export function image(): Image {
  const text = readFileSync('deploy/Dockerfile', 'utf8')
  const copied = [...text.matchAll(/^COPY (?!--from)(?:--\S+ )*(.+) \S+$/gm)].flatMap(([, paths]) =>
    paths!.split(' '),
  )
  return {
    nodeVersion: /^ARG NODE_IMAGE=\S+\/node:(\d+\.\d+\.\d+)-/m.exec(text)![1]!,
    env: assignments(/^ENV (.*)$/m.exec(text)![1]!),
    command: JSON.parse(/^CMD (\[.*\])$/m.exec(text)![1]!),
    sources: [...new Set(copied)],
  }
}

interface ComposeService {
  image: string
  command?: string[]
  environment?: Environment
  secrets?: string[]
}

/** What `deploy/compose/prepare.sh` writes to `deploy/.env`. */
const composeSettings: Environment = {
  VERIFY_HOST: 'verify.example',
  OIDC_ISSUER: 'https://sign-in.example',
  OIDC_AUDIENCE: 'https://verify.example/console',
  OIDC_CLIENT_ID: 'dashboard',
}

export function composeServices(settings: Environment = composeSettings): DeployedProcess[] {
  const text = readFileSync('deploy/compose.yaml', 'utf8').replace(
    /\$\{(\w+)(?::[?-]([^}]*))?\}/g,
    (_, name, otherwise) => settings[name] ?? otherwise,
  )
  const { services } = load(text, { schema: CORE_SCHEMA.withTags(mergeTag) }) as {
    services: Record<string, ComposeService>
  }
  const { env, command } = image()
  return Object.entries(services)
    .filter(([, service]) => service.image.startsWith('age-verification-service:'))
    .map(([name, service]) => ({
      name: `compose: ${name}`,
      command: service.command ?? command,
      env: { ...env, ...service.environment },
      secretFiles: (service.secrets ?? []).map(secret => `/run/secrets/${secret}`),
    }))
}

interface Container {
  args?: string[]
  env?: { name: string; value: string }[]
  volumeMounts?: { mountPath: string }[]
}

interface Workload {
  kind: string
  metadata: { name: string }
  spec: { template: { spec: { containers: [Container] } } }
}

function kubernetesPods(): DeployedProcess[] {
  const folder = 'deploy/kubernetes'
  const { env, command } = image()
  const settings = assignments(readFileSync(`${folder}/process/settings.env`, 'utf8'))
  const [{ mountPath }] = container(workload(`${folder}/process/process.yaml`)).volumeMounts as [
    { mountPath: string },
  ]
  const longRunning = variables(workload(`${folder}/service/long-running.yaml`))
  const pod = (file: string, shared: Environment, secret = 'age-verification'): DeployedProcess => {
    const found = workload(`${folder}/${file}`)
    return {
      name: `kubernetes: ${found.metadata.name}`,
      command: container(found).args ?? command,
      env: { ...env, ...settings, ...shared, ...variables(found) },
      secretFiles: createdKeys(secret).map(key => `${mountPath}/${key}`),
    }
  }
  return [
    pod('service/api.yaml', longRunning),
    pod('service/callbacks.yaml', longRunning),
    pod('service/worker.yaml', longRunning),
    pod('migration/job.yaml', {}, 'age-verification-migration'),
  ]
}

function workload(file: string): Workload {
  const documents = loadAll(readFileSync(file, 'utf8')) as Workload[]
  return documents.find(({ kind }) => kind === 'Deployment' || kind === 'Job')!
}

function container({ spec }: Workload): Container {
  return spec.template.spec.containers[0]
}

function variables(found: Workload): Environment {
  return Object.fromEntries((container(found).env ?? []).map(({ name, value }) => [name, value]))
}

/** The keys of a secret that the script for Kubernetes creates. */
function createdKeys(secret: string): string[] {
  const text = readFileSync('deploy/kubernetes/create-secrets.sh', 'utf8')
  const command = text.split('create secret generic ').find(part => part.startsWith(`${secret} `))!
  return [...command.matchAll(/--from-file=([\w-]+)/g)].map(([, key]) => key!)
}

function systemdUnits(): DeployedProcess[] {
  const folder = 'deploy/systemd'
  const shared = readFileSync(`${folder}/age-verification-.service.d/10-service.conf`, 'utf8')
  return ['migrate', 'api@', 'worker'].map(unit => {
    const text = `${shared}\n${readFileSync(`${folder}/age-verification-${unit}.service`, 'utf8')}`
    const values = (name: string) =>
      [...text.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value!)
    const files = values('EnvironmentFile').map(
      file => `${folder}/${basename(file).replace('%i', '1')}.example`,
    )
    const env = files.map(file => readFileSync(file, 'utf8')).concat(values('Environment'))
    return {
      name: `systemd: ${unit}`,
      command: values('ExecStart')[0]!.replace(`${root}node_modules/.bin/`, '').split(' '),
      env: Object.assign({}, ...env.map(assignments)),
      secretFiles: values('LoadCredential').map(credential => `%d/${credential.split(':')[0]}`),
    }
  })
}

/** `NAME=value` pairs on one line or several; comments are ignored. */
export function assignments(text: string): Environment {
  const words = text.replace(/^#.*$/gm, '').split(/\s+/)
  return Object.fromEntries(
    words.filter(word => word !== '').map(word => /^(\w+)=(.*)$/.exec(word)!.slice(1) as [string, string]),
  )
}
