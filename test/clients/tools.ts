import { compileCSharp, hasTools, inNewFolder, runTools } from '../support/tools.ts';

const COMPILE_WITH_GSON = `java -version && echo 'class Nothing { com.google.gson.Gson gson; }' >Nothing.java &&
  javac --release 8 -cp /usr/share/java/gson.jar Nothing.java`;

/** Each command fails if a tool or a library of the programs is missing. */
const tools = {
  'curl with gzip': ['curl', '--compressed', '--version'],
  'php with its curl extension': ['php', '-r', 'exit(extension_loaded("curl") ? 0 : 1);'],
  'lua5.1 with cjson and LuaSocket': ['lua5.1', '-e', 'require "cjson" require "socket.http" require "mime"'],
  'mcs and mono with the assemblies of .NET Framework': compileCSharp([
    'System.Net.Http.dll',
    'System.Web.Extensions.dll',
  ]),
  python3: ['python3', '-c', 'import json, http.client, urllib.request'],
  'java and javac with Gson': inNewFolder(COMPILE_WITH_GSON),
  go: ['go', 'version'],
} satisfies Record<string, [string, ...string[]]>;

/** The names in Debian and Ubuntu. */
const PACKAGES =
  'curl php-cli php-curl lua5.1 lua-cjson lua-socket python3 mono-mcs libmono-system-net-http4.0-cil libmono-system-web-extensions4.0-cil default-jdk-headless libgoogle-gson-java golang-go';

runTools(PACKAGES, () => hasTools(tools, PACKAGES));
