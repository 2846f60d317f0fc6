import { createServer } from 'node:http';
import { readAssembly } from './assembly.ts';
import { DataFolder, writeAtomically } from './data-folder.ts';
import { readApi } from './gateway/api.ts';
import { Gateway, type ServedRequest } from './gateway/gateway.ts';
import { listen } from './http.ts';
import { hashSources, reuseOrSynthesize } from './kept-synthesis.ts';
import { Lambda } from './lambda/lambda.ts';
import { AwsProxy, type Caller, describeDynamoDb, describeSecretsManager } from './services/aws-proxy.ts';
import { ControlServer } from './services/control-server.ts';
import { type Engine, startEngine } from './services/engine.ts';
import { Permissions } from './services/permissions.ts';
import { SecretsManager } from './services/secrets-manager.ts';
import { deployTables } from './services/tables.ts';
import { LocalStack, REGION } from './stack.ts';
import { synthesize } from './synthesis.ts';

/** Runs a step of the start, which takes a while, and shows its name. The result may add a remark. */
export type RunStep = <T>(
  name: string,
  action: () => Promise<T>,
  remarkOn?: (result: T) => string,
) => Promise<T>;

export type RunOptions = {
  port: number;
  data: string;
  isInMemory: boolean;
  isThrottled: boolean;
  /** A stage of the settings; without one, the common settings apply. */
  stage?: string | undefined;
  /** JSON text, in place of the settings of cdk.json. */
  settings?: string | undefined;
  /** The folder of an existing synthesis; without one, the run synthesizes as a deployment does. */
  assembly?: string | undefined;
  /** Ends the synthesis. */
  signal: AbortSignal;
  runStep: RunStep;
  onServed: (request: ServedRequest) => void;
  onFunctionLog: (line: string) => void;
  /** Something that the run survives, such as a full disk. */
  onProblem: (message: string) => void;
};

/** The contents of outputs.json, for scripts. */
export type Outputs = {
  BaseUrl: string;
  DynamoDbEndpoint: string;
  SecretsEndpoint: string;
  ControlEndpoint: string;
  Region: string;
  /** The outputs of a deployment, with the local base URL. */
  Stack: { Name: string; Outputs: Record<string, string> };
  Tables: Record<string, string>;
  Clients: Record<string, string>;
};

export type Run = { outputs: Outputs; engine: Engine; stop(): Promise<void> };

/** Starts everything in the template, and returns when it can be used. */
export const start = async (options: RunOptions): Promise<Run> => {
  await checkPortIsFree(options.port);
  if (options.assembly) readAssembly(options.assembly);
  const folder = new DataFolder(options.data, options.onProblem);
  folder.lock();
  const cleanups: (() => unknown)[] = [() => folder.release()];
  const stop = async () => {
    for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp();
  };
  try {
    return await startIn(folder, options, cleanups, stop);
  } catch (error) {
    await stop();
    throw error;
  }
};

const startIn = async (
  folder: DataFolder,
  options: RunOptions,
  cleanups: (() => unknown)[],
  stop: () => Promise<void>,
): Promise<Run> => {
  const onDisk = (name: string) => (options.isInMemory ? undefined : folder.file(name));
  const { runStep } = options;
  const engine = await runStep(
    'Starting the DynamoDB engine',
    () => startEngine(options.isInMemory ? undefined : folder.path),
    ({ description }) => description,
  );
  cleanups.push(() => engine.stop());
  const assembly = readAssembly(options.assembly ?? (await findAssembly(folder, options)));
  const stack = new LocalStack(assembly.stackName, assembly.template);
  await runStep('Creating the tables', () => deployTables(stack, engine.endpoint));
  const secrets = new SecretsManager(onDisk('secrets.json'));
  secrets.deploy(stack);
  const secretsEndpoint = await secrets.open();
  cleanups.push(() => secrets.close());

  const permissions = new Permissions(stack);
  const callers = callersOf(stack);
  const proxies = {
    dynamodb: new AwsProxy({
      callers,
      permissions,
      describe: describeDynamoDb,
      target: engine.endpoint,
      contentType: 'application/x-amz-json-1.0',
    }),
    secretsmanager: new AwsProxy({
      callers,
      permissions,
      describe: describeSecretsManager,
      target: secretsEndpoint,
      contentType: 'application/x-amz-json-1.1',
    }),
  };
  cleanups.push(...Object.values(proxies).map((proxy) => () => proxy.close()));
  const endpoints = {
    AWS_ENDPOINT_URL_DYNAMODB: await proxies.dynamodb.open(),
    AWS_ENDPOINT_URL_SECRETS_MANAGER: await proxies.secretsmanager.open(),
  };

  const writeLog = folder.openLog('functions.log');
  const lambda = new Lambda({
    assembly,
    stack,
    permissions,
    serviceEnvironment: (name) => ({
      ...endpoints,
      AWS_ACCESS_KEY_ID: keyOf(name),
      AWS_SECRET_ACCESS_KEY: 'local',
      AWS_SESSION_TOKEN: 'local',
    }),
    log: (name, line) => {
      writeLog(`${name} ${line}`);
      options.onFunctionLog(`${name} ${line}`);
    },
  });
  cleanups.push(() => lambda.stop());
  const controlServer = new ControlServer(permissions, {
    dynamodb: proxies.dynamodb.disturbances,
    secretsmanager: proxies.secretsmanager.disturbances,
    lambda: lambda.throttles,
  });
  cleanups.push(() => controlServer.close());

  const api = readApi(stack);
  const gateway = new Gateway({ api, lambda, isThrottled: options.isThrottled, onServed: options.onServed });
  const baseUrl = await gateway.open(options.port);
  cleanups.push(() => gateway.close());

  const outputs: Outputs = {
    BaseUrl: baseUrl,
    DynamoDbEndpoint: engine.endpoint,
    SecretsEndpoint: secretsEndpoint,
    ControlEndpoint: await controlServer.open(),
    Region: REGION,
    Stack: { Name: stack.name, Outputs: { ...stack.outputs, BaseUrl: baseUrl } },
    Tables: tablesIn(stack.outputs),
    Clients: clientsIn(stack, secrets),
  };
  const outputsText = () => `${JSON.stringify(outputs, null, 2)}\n`;
  secrets.onChange(() => {
    outputs.Clients = clientsIn(stack, secrets);
    folder.writeSoon('outputs.json', outputsText);
  });
  writeAtomically(folder.file('outputs.json'), outputsText());
  return { outputs, engine, stop };
};

const findAssembly = async (folder: DataFolder, { stage, settings, signal, runStep }: RunOptions) => {
  const context = { stage, 'warehouse-control': settings };
  const { assemblyFolder } = await runStep(
    'Synthesizing the stack',
    () =>
      reuseOrSynthesize(
        folder.makeSubfolder('assembly'),
        () => hashSources('.', context),
        (output) => synthesize(output, signal, context),
      ),
    ({ isReused }) => (isReused ? 'reused from an earlier start' : ''),
  );
  return assemblyFolder;
};

/** Fails before the synthesis, which takes seconds. */
const checkPortIsFree = async (port: number) => {
  const server = createServer();
  await listen(server, port);
  server.close();
};

const keyOf = (functionName: string) => `LOCAL${Buffer.from(functionName).toString('hex').toUpperCase()}`;

/** The key of a call identifies the function, and so its role in the template. */
const callersOf = (stack: LocalStack): ReadonlyMap<string, Caller> =>
  new Map(
    stack.ofType('AWS::Lambda::Function').map(({ id, properties }) => {
      const functionName = stack.ref(id);
      return [
        keyOf(functionName),
        { functionName, role: String(properties['Role']).split('/').at(-1) ?? '' },
      ];
    }),
  );

const TABLE_OUTPUT = /^(.+)TableName$/;

const tablesIn = (outputs: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(outputs).flatMap(([name, value]) => {
      const table = TABLE_OUTPUT.exec(name)?.[1];
      return table ? [[table, value]] : [];
    }),
  );

/** Passwords by user name. A secret may contain anything after an admin's edit. */
const clientsIn = (stack: LocalStack, secrets: SecretsManager): Record<string, string> =>
  Object.fromEntries(
    stack.ofType('AWS::SecretsManager::Secret').map(({ id, properties }) => {
      const { SecretStringTemplate } = Object(properties['GenerateSecretString']);
      const { username } = jsonObject(SecretStringTemplate);
      const { password = '' } = jsonObject(secrets.valueOf(stack.ref(id)));
      return [String(username), String(password)];
    }),
  );

const jsonObject = (text: unknown) => {
  try {
    return Object(JSON.parse(String(text)));
  } catch {
    return {};
  }
};
