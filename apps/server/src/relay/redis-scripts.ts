/**
 * What the exchange asks of Redis, each in one atomic step. A topic's keys share a slot, so that a cluster can hold them.
 * Waiting messages are a sorted set: the member is the message with its id, so that keeping one twice keeps it once; the
 * score is the time Redis took it, so that one that comes back takes its old place.
 */

/**
 * Hands a message to the nodes that listen, or keeps it where none does. Because both are one step, a node that begins
 * to listen either hears the message or finds it waiting.
 *
 * KEYS queue, size, webhooks. ARGV channel, message, its time (empty for a new one), most messages, most bytes,
 * lifetime in ms, whether webhooks are asked for. Gives the outcome, then the webhooks.
 */
export const PUBLISH = `
local at = ARGV[3]
if at == '' then
  local now = redis.call('TIME')
  at = now[1] .. string.format('%06d', now[2])
end
local outcome = 'delivered'
if redis.call('SPUBLISH', ARGV[1], at .. ' ' .. ARGV[2]) == 0 then
  local size = tonumber(redis.call('GET', KEYS[2]) or 0)
  if redis.call('ZSCORE', KEYS[1], ARGV[2]) then
    outcome = 'queued'
  elseif redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[4]) or size + #ARGV[2] > tonumber(ARGV[5]) then
    outcome = 'queue-full'
  else
    outcome = 'queued'
    redis.call('ZADD', KEYS[1], at, ARGV[2])
    redis.call('INCRBY', KEYS[2], #ARGV[2])
    redis.call('PEXPIRE', KEYS[1], ARGV[6])
    redis.call('PEXPIRE', KEYS[2], ARGV[6])
  end
end
if ARGV[7] == '' then return { outcome } end
return { outcome, unpack(redis.call('SMEMBERS', KEYS[3])) }`

/**
 * Gives what waits for a topic to the one node that may hand it over, and takes nothing away: a node that dies with it
 * has lost nothing, and after a while another one may.
 *
 * KEYS queue, claim. ARGV node, how long it may take in ms. Gives the messages, or `later` while
 * another node hands them over.
 */
export const CLAIM = `
local holder = redis.call('GET', KEYS[2])
if holder and holder ~= ARGV[1] then return 'later' end
local messages = redis.call('ZRANGE', KEYS[1], 0, -1)
if #messages > 0 then redis.call('SET', KEYS[2], ARGV[1], 'PX', ARGV[2]) end
return messages`

/** Takes away what a node has handed over. KEYS queue, size, claim. ARGV node, the messages. Gives how many still wait. */
export const SETTLE = `
for each = 2, #ARGV do
  if redis.call('ZREM', KEYS[1], ARGV[each]) == 1 then redis.call('DECRBY', KEYS[2], #ARGV[each]) end
end
local left = redis.call('ZCARD', KEYS[1])
if left == 0 then redis.call('DEL', KEYS[2]) end
if redis.call('GET', KEYS[3]) == ARGV[1] then redis.call('DEL', KEYS[3]) end
return left`

/** Remembers a webhook. KEYS webhooks. ARGV address, most of a topic, lifetime in ms. Gives whether there was room. */
export const ADD_WEBHOOK = `
if redis.call('SISMEMBER', KEYS[1], ARGV[1]) == 0 and redis.call('SCARD', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
redis.call('SADD', KEYS[1], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1`

/**
 * Counts a topic among those for which a network has webhooks. KEYS the network's topics by the end of their lifetime. ARGV
 * topic, now in ms, most topics, lifetime in ms. Gives whether there was room.
 */
export const COUNT_WEBHOOK = `
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[2])
if not redis.call('ZSCORE', KEYS[1], ARGV[1]) and redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[3]) then return 0 end
redis.call('ZADD', KEYS[1], ARGV[2] + ARGV[4], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return 1`
