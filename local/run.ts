import { setTimeout as sleep } from 'node:timers/promises';
import { readClient } from '../shared/clients/write-client.ts';
import { LOOPBACK } from '../shared/loopback.ts';
import { tableNames } from '../shared/tables.ts';
import { addClients, addFirstClient } from './clients/add-clients.ts';
import { openPasswords } from './clients/passwords.ts';
import { openControlServer } from './control-server.ts';
import { openDataFolder, writeAtomically } from './data-folder.ts';
import { readApi } from './gateway/api.ts';
import { openGateway, type ServedRequest } from './gateway/gateway.ts';
import { findFreePort } from './http.ts';
import { createLambda } from './lambda/lambda.ts';
import { type ScheduleClock, startSchedule } from './schedule.ts';
import { openDynamoDbProxy } from './services/dynamodb-proxy.ts';
import { startEngine } from './services/engine.ts';
import { createPermissions } from './services/permissions.ts';
import { createTables, engineClient } from './services/tables.ts';
import { openTopics, type TopicMessage } from './services/topics.ts';
import { StartupError } from './startup-error.ts';
import { readAssembly } from './synthesis/assembly.ts';
import { REGION, TemplateStack } from './synthesis/stack.ts';
import { synthesize } from './synthesis/synthesis.ts';
import { hashSources, reuseOrSynthesize, stageFolder } from './synthesis/synthesis-cache.ts';

/** Runs one step of the start and shows its progress. */
export type RunStep = <T>(
  name: string,
  action: () => Promise<T>,
  describeResult?: (result: T) => string,
) => Promise<T>;

type RunOptions = {
  port: number;
  data: string;
  isInMemory: boolean;
  /** Whether rate limits and quotas apply. */
  hasLimits: boolean;
  /** Without a stage, the common settings apply. */
  stage?: string | undefined;
  /** The URL of an engine. The default is DYNAMODB_ENDPOINT. Without either, the run starts an engine. */
  dynamoDbEndpoint?: string | undefined;
  /** The folder of an existing synthesis. Without this folder, the run synthesizes the stack. */
  assembly?: string | undefined;
  signal: AbortSignal;
  runStep: RunStep;
  onServed: (request: ServedRequest) => void;
  onFunctionLog: (line: string) => void;
  onMessage: (message: TopicMessage) => void;
  /** Gets a message for the person at the terminal, for example that the disk is full. The run continues. */
  onNotice: (message: string) => void;
  scheduleClock?: ScheduleClock;
};

/** The contents of outputs.json, for scripts. */
export type Outputs = {
  BaseUrl: string;
  DynamoDbEndpoint: string;
  ControlEndpoint: string;
  Region: string;
  /** The outputs of a deployment, with the local base URL. */
  Stack: { Name: string; Outputs: Record<string, string> };
  Tables: Record<string, string>;
  /** The password of each user name. */
  Clients: Record<string, string>;
};

export type StartedRun = Awaited<ReturnType<typeof start>>;

export const start = async (options: RunOptions) => {
  const { port, data, isInMemory, hasLimits, onServed, onFunctionLog, onNotice, runStep } = options;
  refuseProxies();
  // These checks come before the synthesis, which takes seconds.
  // Throws if the port is not free.
  await findFreePort(port);
  if (options.assembly) readAssembly(options.assembly);
  await using cleanups = new AsyncDisposableStack();
  const folder = openDataFolder(data, onNotice);
  cleanups.defer(folder.release);
  // The file is read before the engine starts, so a damaged folder ends the start at once.
  const passwords = openPasswords(isInMemory ? undefined : folder.file('passwords.json'));
  const writeLog = folder.openLog('functions.log');
  const engine = await runStep(
    'Starting the DynamoDB engine',
    () => startEngine(isInMemory ? undefined : folder.path, onNotice, options.dynamoDbEndpoint),
    ({ description }) => description,
  );
  cleanups.defer(() => engine.stop());
  const failIfEngineEnds = <T>(action: Promise<T>) => {
    const failLater = async (error: unknown) => {
      await sleep(ENGINE_END_IS_SEEN_WITHIN_MS, undefined, { signal: options.signal }).catch(() => {});
      throw error;
    };
    const failWithEngine = () => Promise.reject(engineHasEnded(isInMemory));
    return Promise.race([action.catch(failLater), engine.ended.then(failWithEngine)]);
  };
  const assembly = readAssembly(options.assembly ?? (await findAssembly(folder.file('assembly'), options)));
  const stack = new TemplateStack(assembly.stackName, assembly.template);
  const dynamodb = engineClient(engine.endpoint);
  cleanups.defer(() => dynamodb.destroy());
  await runStep('Creating the tables', () => failIfEngineEnds(createTables(stack, dynamodb)));
  const clientStorage = { dynamodb, outputs: stack.outputs, passwords };
  await failIfEngineEnds(addFirstClient(clientStorage, new Date()));

  const permissions = createPermissions(stack);
  const dynamodbProxy = await openDynamoDbProxy(
    engine.endpoint,
    permissions,
    stack.outputs['ClientsTableName'],
  );
  cleanups.defer(dynamodbProxy.close);
  const topics = await openTopics(permissions, (topic, message) => {
    writeLog(`${topic} ${JSON.stringify(message)}`);
    options.onMessage(message);
  });
  cleanups.defer(topics.close);
  const lambda = createLambda({
    assembly,
    stack,
    permissions,
    endpoints: {
      AWS_ENDPOINT_URL_DYNAMODB: dynamodbProxy.endpoint,
      AWS_ENDPOINT_URL_SNS: topics.endpoint,
    },
    log: (line) => {
      writeLog(line);
      onFunctionLog(line);
    },
  });
  cleanups.defer(lambda.stop);
  const gateway = await openGateway(port, { api: readApi(stack), lambda, hasLimits, onServed });
  cleanups.defer(gateway.close);

  const schedule = startSchedule(stack, lambda, options.scheduleClock);
  cleanups.defer(schedule.stop);
  const control = await openControlServer({
    permissions,
    functionNames: lambda.names,
    faults: { ...dynamodbProxy.faults, lambda: lambda.faults },
    followPassword: async (change) => {
      const table = stack.outputs['ClientsTableName'] ?? '';
      await passwords.follow(change, (name) => readClient(dynamodb, table, name));
      writeOutputs();
    },
    runWatch: schedule.callAll,
  });
  cleanups.defer(control.close);

  const outputs: Outputs = {
    BaseUrl: gateway.baseUrl,
    DynamoDbEndpoint: engine.endpoint,
    ControlEndpoint: control.endpoint,
    Region: REGION,
    Stack: { Name: stack.name, Outputs: { ...stack.outputs, BaseUrl: gateway.baseUrl } },
    Tables: Object.fromEntries(tableNames.map((name) => [name, stack.outputs[`${name}TableName`] ?? ''])),
    Clients: {},
  };
  const writeOutputs = () => {
    outputs.Clients = passwords.byUserName();
    writeAtomically(folder.file('outputs.json'), `${JSON.stringify(outputs, null, 2)}\n`);
  };
  writeOutputs();
  const cleanupsAtStop = cleanups.move();
  return {
    outputs,
    /** The result of the action. Rejects if the engine ends before it. */
    failIfEngineEnds,
    addClients: async (names: readonly string[], now: Date) => {
      await addClients(clientStorage, names, now);
      writeOutputs();
    },
    stop: () => cleanupsAtStop.disposeAsync(),
  };
};

/** A call may fail because the engine has ended. So a failed call waits this long for the engine's error, which says more. */
const ENGINE_END_IS_SEEN_WITHIN_MS = 3_000;

const engineHasEnded = (isInMemory: boolean) =>
  new StartupError(
    isInMemory
      ? 'The DynamoDB engine has ended. Its data was in memory and is lost.'
      : 'The DynamoDB engine has ended. Its data is still in the data folder. Start the run again.',
  );

/** With NODE_USE_ENV_PROXY, Node would send the run's calls to its local services through the proxy. */
const refuseProxies = () => {
  const { NODE_USE_ENV_PROXY, HTTP_PROXY, NO_PROXY } = process.env;
  const { http_proxy = HTTP_PROXY, no_proxy = NO_PROXY } = process.env;
  if (NODE_USE_ENV_PROXY === '1' && http_proxy && !no_proxy?.includes(LOOPBACK))
    throw new StartupError(
      `NODE_USE_ENV_PROXY sends the local run's own calls to the proxy of HTTP_PROXY. Unset NODE_USE_ENV_PROXY, or add ${LOOPBACK} to NO_PROXY.`,
    );
};

const findAssembly = async (folder: string, { stage, signal, runStep }: RunOptions) => {
  const { assemblyFolder } = await runStep(
    'Synthesizing the stack',
    () =>
      reuseOrSynthesize(
        stageFolder(folder, stage),
        () => hashSources('.', stage),
        (output) => synthesize(output, signal, stage),
      ),
    ({ isReused }) => (isReused ? 'reused from an earlier start' : ''),
  );
  return assemblyFolder;
};
