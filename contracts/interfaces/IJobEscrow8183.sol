// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title IJobEscrow8183
/// @notice ERC-8183's jobs over {IPlanEscrow}: for clients, providers and evaluators that speak that standard.
///
///         Each funded job is one plan of one step, whose client and evaluator are this contract and its helper; the money
///         lies in the escrow and is here only within one call. States and who may do what are the standard's:
///
///             Open ──fund──▶ Funded ──submit──▶ Submitted ──complete──▶ Completed
///               └─reject─┐     ├─reject─┐          ├─reject─▶ Rejected
///                        ▼     │        ▼          └─claimRefund (expired)─▶ Expired
///                    Rejected  └─claimRefund (expired)─▶ Expired
///
///         What it does NOT protect against: an evaluator that completes bad work, rejects good work, or says nothing, so
///         that the client is refunded (a provider that wants another default is hired by a plan); or an evaluator and a
///         provider that are two addresses of one person.
///
///         Where it differs from the standard's public implementation: a job that was not funded is never refunded; the
///         provider is never the evaluator; there are no hooks, no owner, no fee and no upgrade; the description is kept in
///         the log ({JobDescribed}) and not in storage.
interface IJobEscrow8183 {
    /// @notice Where a job stands.
    enum JobStatus {
        Open,
        Funded,
        Submitted,
        Completed,
        Rejected,
        Expired
    }

    /// @notice What is remembered of a job.
    /// @param budget in base units of {paymentToken}
    /// @param expiredAt unix seconds; from then on anybody may refund
    struct Job {
        address client;
        uint40 expiredAt;
        JobStatus status;
        address provider;
        uint96 budget;
        address evaluator;
    }

    event JobCreated(
        uint256 indexed jobId, address indexed client, address indexed provider, address evaluator, uint256 expiredAt
    );
    /// @notice What the client wrote of the job, right after {JobCreated}.
    event JobDescribed(uint256 indexed jobId, string description);
    event ProviderSet(uint256 indexed jobId, address indexed provider);
    event BudgetSet(uint256 indexed jobId, uint256 amount);
    event JobFunded(uint256 indexed jobId, address indexed client, uint256 amount);
    event JobSubmitted(uint256 indexed jobId, address indexed provider, bytes32 deliverable);
    event JobCompleted(uint256 indexed jobId, address indexed evaluator, bytes32 reason);
    event JobRejected(uint256 indexed jobId, address indexed rejector, bytes32 reason);
    event JobExpired(uint256 indexed jobId);
    /// @notice The money left the job for its provider. Where the token refuses the provider, it waits in its credit at the
    ///         escrow, whose own event (Paid or Credited) stands before this one.
    event PaymentReleased(uint256 indexed jobId, address indexed provider, uint256 amount);
    /// @notice The token accepted the transfer of the budget back to the client, or to whom it named.
    event Refunded(uint256 indexed jobId, address indexed client, uint256 amount);

    /// @notice No job has this number.
    error InvalidJob(uint256 jobId);
    /// @notice The job stands elsewhere.
    error WrongStatus(JobStatus actual);
    /// @notice The caller has not this part in the job.
    error Unauthorized(address actual);
    error ZeroAddress();
    /// @notice Hooks are not supported, and none is passed over in silence.
    error HookNotSupported(address hook);
    /// @notice `expiredAt` has to be in the future, and before the year 36812.
    error BadExpiry(uint256 actual, uint256 time);
    error ZeroBudget();
    error BudgetTooLarge(uint256 actual, uint256 max);
    error ProviderNotSet(uint256 jobId);
    error ProviderAlreadySet(address provider);
    error ProviderCannotBeEvaluator(address provider);
    /// @notice The escrow, this contract and its helper cannot be paid.
    error BadProvider(address provider);
    error BudgetMismatch(uint256 actual, uint256 expected);
    /// @notice The job has not expired.
    error NotExpired(uint256 time, uint256 expiredAt);
    /// @notice The job has expired.
    error AlreadyExpired(uint256 time, uint256 expiredAt);
    /// @notice The escrow could not hand the money back to this contract; nothing has changed, and it may be tried again.
    error RefundWithheld(uint256 actual, uint256 expected);

    /// @notice Opens a job of the caller's.
    /// @param provider who is to do it; zero: set later
    /// @param evaluator who alone may complete it; may be the client
    /// @param hook has to be zero
    function createJob(
        address provider,
        address evaluator,
        uint256 expiredAt,
        string calldata description,
        address hook
    ) external returns (uint256 jobId);

    /// @notice {createJob}, {setBudget} and {fund} in one call, with their events.
    function createAndFund(
        address provider,
        address evaluator,
        uint256 expiredAt,
        string calldata description,
        uint256 budget
    ) external returns (uint256 jobId);

    /// @notice Names the provider of an open job that has none.
    /// @dev Caller: the client. `optParams`, here and below, is for hooks, and is not read.
    function setProvider(uint256 jobId, address provider, bytes calldata optParams) external;

    /// @notice Sets the price of an open job.
    /// @dev Caller: client or provider.
    function setBudget(uint256 jobId, uint256 amount, bytes calldata optParams) external;

    /// @notice Sets the budget aside in the escrow, out of the caller's allowance to this contract. Open → Funded.
    /// @dev Caller: the client, who says what the budget is to be. Before `expiredAt`. From here on nobody can change the
    ///      provider, the budget, the evaluator or the time.
    function fund(uint256 jobId, uint256 expectedBudget, bytes calldata optParams) external;

    /// @notice Hands the work in. Funded → Submitted.
    /// @dev Caller: the provider.
    function submit(uint256 jobId, bytes32 deliverable, bytes calldata optParams) external;

    /// @notice Pays the provider. Submitted → Completed.
    /// @dev Caller: the evaluator.
    function complete(uint256 jobId, bytes32 reason, bytes calldata optParams) external;

    /// @notice Ends the job; what was set aside goes back to the client.
    /// @dev Caller: the client while Open, the evaluator while Funded or Submitted.
    function reject(uint256 jobId, bytes32 reason, bytes calldata optParams) external;

    /// @notice Sends the budget back to the client of a job that has expired. Funded or Submitted → Expired.
    /// @dev Caller: anybody. Asks nobody and calls nothing but escrow and token. Only a token that refuses the client can
    ///      hold it up; then the client uses {claimRefundTo}, or anybody tries again.
    function claimRefund(uint256 jobId) external;

    /// @notice As {claimRefund}, to wherever the client says.
    /// @dev Caller: the client.
    function claimRefundTo(uint256 jobId, address to) external;

    /// @notice A job as it stands. Reverts where there is none.
    function getJob(uint256 jobId) external view returns (Job memory);

    /// @notice How many jobs there are; the last one's number.
    function jobCounter() external view returns (uint256);

    /// @notice What jobs are paid in.
    function paymentToken() external view returns (address);

    /// @notice The plan in the escrow that holds a funded job's money.
    function planOf(uint256 jobId) external view returns (bytes32 planId);
}
