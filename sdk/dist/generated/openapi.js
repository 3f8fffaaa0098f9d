// Generated from openapi.json: npm run sdk-types
export {};
