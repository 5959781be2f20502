/**
 * The exchange's Redis scripts; each is atomic. A topic's keys share a hash slot, as a cluster requires. A queue is a
 * sorted set: the member is the message with its id, so queueing it twice stores it once; the score is the time Redis
 * received it, so a republished message returns to its original position.
 */

/**
 * Sends a message to subscribed nodes, or queues it if there are none. A message that reached several nodes is lost only
 * if all of them lose it, so their number is kept as long as they may requeue it.
 *
 * KEYS queue, size, number of nodes without the message's id. ARGV channel, maximum messages, maximum bytes, lifetime in
 * ms, how long nodes may requeue in ms.
 */
const DISPATCH = `
local function dispatch(at, message)
  local nodes = redis.call('SPUBLISH', ARGV[1], at .. ' ' .. message)
  if nodes > 1 then redis.call('SET', KEYS[3] .. string.match(message, '^%S+'), nodes, 'PX', ARGV[5]) end
  if nodes > 0 then return 'delivered' end
  local size = tonumber(redis.call('GET', KEYS[2]) or 0)
  if redis.call('ZSCORE', KEYS[1], message) then return 'queued' end
  if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) or size + #message > tonumber(ARGV[3]) then return 'queue-full' end
  redis.call('ZADD', KEYS[1], at, message)
  redis.call('INCRBY', KEYS[2], #message)
  redis.call('PEXPIRE', KEYS[1], ARGV[4])
  redis.call('PEXPIRE', KEYS[2], ARGV[4])
  return 'queued'
end`

/**
 * Publishes a message. Because this is one step, a node that subscribes either receives the message or finds it queued.
 *
 * KEYS those of DISPATCH, webhooks. ARGV those of DISPATCH, message, its time (empty for a new one), whether to return
 * webhooks. Returns the outcome, then the webhooks.
 */
export const PUBLISH = `${DISPATCH}
local at = ARGV[7]
if at == '' then
  local now = redis.call('TIME')
  at = now[1] .. string.format('%06d', now[2])
else
  -- The node that publishes it again no longer has it.
  local count = KEYS[3] .. string.match(ARGV[6], '^%S+')
  if redis.call('EXISTS', count) == 1 then redis.call('DECR', count) end
end
local outcome = dispatch(at, ARGV[6])
if ARGV[8] == '' then return { outcome } end
return { outcome, unpack(redis.call('SMEMBERS', KEYS[4])) }`

/**
 * Publishes messages again that a node has delivered and lost, unless another node still has them. All at once, so that
 * a node that subscribes gets them in order.
 *
 * KEYS those of DISPATCH. ARGV those of DISPATCH, then times and messages in turn. Returns an outcome for each message.
 */
export const REQUEUE = `${DISPATCH}
local outcomes = {}
for each = 6, #ARGV, 2 do
  local message = ARGV[each + 1]
  local count = KEYS[3] .. string.match(message, '^%S+')
  local isElsewhere = redis.call('EXISTS', count) == 1 and redis.call('DECR', count) > 0
  table.insert(outcomes, isElsewhere and 'delivered' or dispatch(ARGV[each], message))
end
return outcomes`

/**
 * Claims a topic's queue for one node and returns the messages without deleting them. If the node crashes, nothing is
 * lost and another node can claim them after a while.
 *
 * KEYS queue, claim. ARGV node, the duration of the claim in ms. Returns the messages, each before its time, or `later`
 * while another node holds the claim.
 */
export const CLAIM = `
local holder = redis.call('GET', KEYS[2])
if holder and holder ~= ARGV[1] then return 'later' end
local messages = redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES')
if #messages > 0 then redis.call('SET', KEYS[2], ARGV[1], 'PX', ARGV[2]) end
return messages`

/** Deletes delivered messages. KEYS queue, size, claim. ARGV node, the messages. Returns the number still queued. */
export const SETTLE = `
for each = 2, #ARGV do
  if redis.call('ZREM', KEYS[1], ARGV[each]) == 1 then redis.call('DECRBY', KEYS[2], #ARGV[each]) end
end
local left = redis.call('ZCARD', KEYS[1])
if left == 0 then redis.call('DEL', KEYS[2]) end
if redis.call('GET', KEYS[3]) == ARGV[1] then redis.call('DEL', KEYS[3]) end
return left`

/**
 * Registers a webhook. KEYS webhooks. ARGV URL, maximum per topic, lifetime in ms. Returns whether the limit allows it.
 */
export const ADD_WEBHOOK = `
if redis.call('SISMEMBER', KEYS[1], ARGV[1]) == 0 and redis.call('SCARD', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
redis.call('SADD', KEYS[1], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1`

/**
 * Adds a topic to those for which a network has webhooks. KEYS the network's topics by expiry. ARGV topic, current time
 * in ms, maximum topics, lifetime in ms. Returns whether the limit allows it.
 */
export const COUNT_WEBHOOK = `
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[2])
if not redis.call('ZSCORE', KEYS[1], ARGV[1]) and redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[3]) then return 0 end
redis.call('ZADD', KEYS[1], ARGV[2] + ARGV[4], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return 1`
