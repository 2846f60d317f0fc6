#!/usr/bin/env bash
# npm run release -- [--yes] STAGE[=PROFILE]…: tests this commit, deploys it to one stage after the other, and tags it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
if [ "${1-}" = --yes ]; then asks=; shift; else asks=1; fi
[ $# -gt 0 ] || { echo 'Name the stages: npm run release -- test production' >&2; exit 2; }
[ -z "$(git status --porcelain)" ] || { echo 'Commit your changes first. The tag must have what is deployed.' >&2; exit 1; }

npm run check
npm test
for argument in "$@"; do
  stage=${argument%%=*}
  (
    [ "$stage" = "$argument" ] || export AWS_PROFILE=${argument#*=}
    npx cdk diff --context "stage=$stage"
    [ -z "$asks" ] || read -r -p "Deploy this to $stage? [y/N] " answer
    [ "${answer-y}" = y ] || { echo "$stage is unchanged." >&2; exit 1; }
    # The diff has shown new permissions, so the CDK need not ask again.
    npm run deploy -- --context "stage=$stage" --require-approval never
    base_url=$(node -p 'Object.values(require("./cdk.out/outputs.json"))[0].BaseUrl')
    npm run doctor -- --base-url "$base_url" --client doctor
  )
done
git tag "$stage-$(date -u +%Y%m%d-%H%M)"
