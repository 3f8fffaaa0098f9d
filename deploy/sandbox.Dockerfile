# The service for integrators without Node: its own database, test tenants only, everything that an integration needs on one
# port. Never for real users: anyone can pass. Build it from the root of the repository, and see docs/testing.md:
#
#   docker build --file deploy/sandbox.Dockerfile --tag age-verification-sandbox .
#   docker run --rm --publish 3000:3000 age-verification-sandbox
ARG NODE_IMAGE=docker.io/library/node:24.21.0-bookworm-slim

FROM ${NODE_IMAGE}
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY development/prepare-runtime.mjs development/
RUN npm ci
COPY . .
RUN npm run build && install --directory --owner=1000 --group=1000 /data
ENV HOST=0.0.0.0 PORT=3000 BASE_URL=http://localhost:3000 DATA_DIR=/data/service ALLOW_SIMULATORS=true
EXPOSE 3000
# PostgreSQL refuses to run as root.
USER 1000:1000
VOLUME /data
CMD ["node", "server/main.ts"]
