# The image of boardmill, for `solve`, for `worker` hosts and for all other commands:
#
#     docker build --tag boardmill .
#     docker run --rm --volume "$PWD:/data" boardmill solve bt big.in -o big.ans
#
# A host runs programs (--exec) and modules (--problem) only from its own image: `FROM boardmill`, and copy them in.
# The digest pins what the tag was when it was looked up; a newer image takes the place of both lines below.

FROM node:24-bookworm-slim@sha256:e8e2e91b1378f83c5b2dd15f0247f34110e2fe895f6ca7719dbb780f929368eb AS build
WORKDIR /boardmill
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
# The package has no dependencies. --queue and worker need bullmq and ioredis beside it, in the versions of the tests.
RUN npm pack --pack-destination /tmp \
    && version() { node -p "require('./node_modules/$1/package.json').version"; } \
    && npm install --global --prefix /opt/boardmill /tmp/boardmill-*.tgz \
        "bullmq@$(version bullmq)" "ioredis@$(version ioredis)"

FROM node:24-bookworm-slim@sha256:e8e2e91b1378f83c5b2dd15f0247f34110e2fe895f6ca7719dbb780f929368eb
# tini is process 1. It passes signals on, and reaps what the programs of --exec leave behind.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends tini \
    && rm -rf /var/lib/apt/lists/*
COPY --from=build /opt/boardmill /usr/local
# The number of the user `node`. Kubernetes only sees that a number is not root.
USER 1000:1000
WORKDIR /data
ENTRYPOINT ["tini", "--", "boardmill"]
