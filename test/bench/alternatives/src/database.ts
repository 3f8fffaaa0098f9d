import { PrismaPg } from '@prisma/adapter-pg'
import { PrismaClient } from '../generated/client.ts'
import { config } from './config.ts'

const adapter = new PrismaPg({ connectionString: config.databaseUrl, max: config.databasePoolSize })

export const prisma = new PrismaClient({ adapter })
