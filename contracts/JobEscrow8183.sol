// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {JobEvaluator} from "./escrow/JobEvaluator.sol";
import {IJobEscrow8183} from "./interfaces/IJobEscrow8183.sol";
import {IPlanEscrow} from "./interfaces/IPlanEscrow.sol";

/// @title JobEscrow8183
/// @notice See {IJobEscrow8183}. Immutable: no owner, no pause, no upgrade, no sweep, no fee, no ether.
/// @dev The plan of a job is made of what is stored of it, so that no call has to bring terms. The plan itself never
///      expires: only this contract ends it, by the rules of its own `expiredAt`.
contract JobEscrow8183 is IJobEscrow8183, ReentrancyGuardTransient {
    using SafeERC20 for IERC20;

    IPlanEscrow private immutable _escrow;
    IERC20 private immutable _token;
    JobEvaluator private immutable _evaluator;

    /// @inheritdoc IJobEscrow8183
    uint256 public jobCounter;
    mapping(uint256 jobId => Job) private _jobs;

    /// @param escrow holds the money
    /// @param token what jobs are paid in; on the escrow's list
    constructor(IPlanEscrow escrow, IERC20 token) {
        if (!escrow.isTokenAllowed(address(token))) revert IPlanEscrow.TokenNotAllowed(address(token));
        _escrow = escrow;
        _token = token;
        _evaluator = new JobEvaluator(escrow);
        // This contract owns nothing between calls, and the escrow takes from its clients only what they fund themselves.
        token.forceApprove(address(escrow), type(uint256).max);
    }

    /// @inheritdoc IJobEscrow8183
    function createJob(
        address provider,
        address evaluator,
        uint256 expiredAt,
        string calldata description,
        address hook
    ) external returns (uint256 jobId) {
        if (hook != address(0)) revert HookNotSupported(hook);
        jobId = _create(provider, evaluator, expiredAt, description, 0, JobStatus.Open);
    }

    /// @inheritdoc IJobEscrow8183
    function createAndFund(
        address provider,
        address evaluator,
        uint256 expiredAt,
        string calldata description,
        uint256 budget
    ) external nonReentrant returns (uint256 jobId) {
        if (budget == 0) revert ZeroBudget();
        uint96 amount = _toBudget(budget);
        jobId = _create(provider, evaluator, expiredAt, description, amount, JobStatus.Funded);
        if (provider == address(0)) revert ProviderNotSet(jobId);
        emit BudgetSet(jobId, budget);
        _setAside(jobId, provider, amount);
    }

    /// @inheritdoc IJobEscrow8183
    function setProvider(uint256 jobId, address provider, bytes calldata) external {
        Job storage job = _in(jobId, JobStatus.Open);
        _requireCaller(job.client);
        if (job.provider != address(0)) revert ProviderAlreadySet(job.provider);
        if (provider == address(0)) revert ZeroAddress();
        _requireProvider(provider, job.evaluator);

        job.provider = provider;
        emit ProviderSet(jobId, provider);
    }

    /// @inheritdoc IJobEscrow8183
    function setBudget(uint256 jobId, uint256 amount, bytes calldata) external {
        Job storage job = _in(jobId, JobStatus.Open);
        if (msg.sender != job.client) _requireCaller(job.provider);

        job.budget = _toBudget(amount);
        emit BudgetSet(jobId, amount);
    }

    /// @inheritdoc IJobEscrow8183
    function fund(uint256 jobId, uint256 expectedBudget, bytes calldata) external nonReentrant {
        Job storage job = _in(jobId, JobStatus.Open);
        _requireCaller(job.client);
        (address provider, uint96 budget) = (job.provider, job.budget);
        if (provider == address(0)) revert ProviderNotSet(jobId);
        if (budget == 0) revert ZeroBudget();
        if (budget != expectedBudget) revert BudgetMismatch(budget, expectedBudget);
        if (block.timestamp >= job.expiredAt) revert AlreadyExpired(block.timestamp, job.expiredAt);

        job.status = JobStatus.Funded;
        _setAside(jobId, provider, budget);
    }

    /// @inheritdoc IJobEscrow8183
    function submit(uint256 jobId, bytes32 deliverable, bytes calldata) external {
        Job storage job = _in(jobId, JobStatus.Funded);
        _requireCaller(job.provider);

        job.status = JobStatus.Submitted;
        emit JobSubmitted(jobId, msg.sender, deliverable);
    }

    /// @inheritdoc IJobEscrow8183
    function complete(uint256 jobId, bytes32 reason, bytes calldata) external nonReentrant {
        Job storage job = _in(jobId, JobStatus.Submitted);
        _requireCaller(job.evaluator);
        (address provider, uint96 budget) = (job.provider, job.budget);

        job.status = JobStatus.Completed;
        emit JobCompleted(jobId, msg.sender, reason);

        _escrow.release(_settlementOf(jobId, provider, budget, 1, reason));
        emit PaymentReleased(jobId, provider, budget);
    }

    /// @inheritdoc IJobEscrow8183
    function reject(uint256 jobId, bytes32 reason, bytes calldata) external nonReentrant {
        Job storage job = _existing(jobId);
        JobStatus status = job.status;
        if (uint8(status) > uint8(JobStatus.Submitted)) revert WrongStatus(status);
        _requireCaller(status == JobStatus.Open ? job.client : job.evaluator);

        job.status = JobStatus.Rejected;
        emit JobRejected(jobId, msg.sender, reason);
        if (status != JobStatus.Open) _giveBack(jobId, job, job.client, reason);
    }

    /// @inheritdoc IJobEscrow8183
    function claimRefund(uint256 jobId) external nonReentrant {
        Job storage job = _existing(jobId);
        _expire(jobId, job, job.client);
    }

    /// @inheritdoc IJobEscrow8183
    function claimRefundTo(uint256 jobId, address to) external nonReentrant {
        Job storage job = _existing(jobId);
        _requireCaller(job.client);
        if (to == address(0)) revert ZeroAddress();
        _expire(jobId, job, to);
    }

    /// @inheritdoc IJobEscrow8183
    function getJob(uint256 jobId) external view returns (Job memory) {
        return _existing(jobId);
    }

    /// @inheritdoc IJobEscrow8183
    function paymentToken() external view returns (address) {
        return address(_token);
    }

    /// @inheritdoc IJobEscrow8183
    function planOf(uint256 jobId) external view returns (bytes32 planId) {
        Job storage job = _existing(jobId);
        if (job.status == JobStatus.Open) revert WrongStatus(JobStatus.Open);
        return _escrow.planId(_termsOf(jobId, job.budget, _charterOf(jobId, job.provider, job.budget)));
    }

    function _create(
        address provider,
        address evaluator,
        uint256 expiredAt,
        string calldata description,
        uint96 budget,
        JobStatus status
    ) private returns (uint256 jobId) {
        // input
        if (evaluator == address(0)) revert ZeroAddress();
        if (provider != address(0)) _requireProvider(provider, evaluator);
        if (expiredAt <= block.timestamp || expiredAt > type(uint40).max) revert BadExpiry(expiredAt, block.timestamp);

        // effect
        jobId = ++jobCounter;
        _jobs[jobId] = Job({
            client: msg.sender,
            expiredAt: uint40(expiredAt),
            status: status,
            provider: provider,
            budget: budget,
            evaluator: evaluator
        });
        emit JobCreated(jobId, msg.sender, provider, evaluator, expiredAt);
        emit JobDescribed(jobId, description);
    }

    function _setAside(uint256 jobId, address provider, uint96 budget) private {
        emit JobFunded(jobId, msg.sender, budget);
        _token.safeTransferFrom(msg.sender, address(this), budget);
        _escrow.fund(_termsOf(jobId, budget, _charterOf(jobId, provider, budget)));
    }

    function _expire(uint256 jobId, Job storage job, address to) private {
        JobStatus status = job.status;
        if (status != JobStatus.Funded && status != JobStatus.Submitted) revert WrongStatus(status);
        if (block.timestamp < job.expiredAt) revert NotExpired(block.timestamp, job.expiredAt);

        job.status = JobStatus.Expired;
        emit JobExpired(jobId);
        _giveBack(jobId, job, to, 0);
    }

    /// @dev Ends the plan, and hands on what comes back.
    function _giveBack(uint256 jobId, Job storage job, address to, bytes32 reason) private {
        uint96 budget = job.budget;
        uint256 before = _token.balanceOf(address(this));
        _evaluator.settle(_settlementOf(jobId, job.provider, budget, 0, reason));
        uint256 back = _token.balanceOf(address(this)) - before;
        if (back != budget) revert RefundWithheld(back, budget);
        _token.safeTransfer(to, budget);
        emit Refunded(jobId, to, budget);
    }

    function _settlementOf(uint256 jobId, address provider, uint96 budget, uint64 bits, bytes32 reason)
        private
        view
        returns (IPlanEscrow.Settlement memory)
    {
        IPlanEscrow.Charter memory charter = _charterOf(jobId, provider, budget);
        return IPlanEscrow.Settlement({
            terms: _termsOf(jobId, budget, charter),
            charter: charter,
            bits: bits,
            close: true,
            conclusionHash: reason,
            signature: ""
        });
    }

    function _charterOf(uint256 jobId, address provider, uint96 budget)
        private
        pure
        returns (IPlanEscrow.Charter memory charter)
    {
        charter.steps = new IPlanEscrow.Step[](1);
        charter.steps[0] = IPlanEscrow.Step({payee: provider, amount: budget});
        charter.charterHash = bytes32(jobId);
    }

    function _termsOf(uint256 jobId, uint96 budget, IPlanEscrow.Charter memory charter)
        private
        view
        returns (IPlanEscrow.Terms memory terms)
    {
        terms.client = address(this);
        terms.token = address(_token);
        terms.total = budget;
        terms.workBy = type(uint40).max;
        terms.reviewBy = type(uint40).max;
        terms.expiry = type(uint40).max;
        terms.evaluator = address(_evaluator);
        terms.charter = keccak256(
            abi.encode(
                keccak256(abi.encode(charter.steps)), keccak256(abi.encode(charter.royalties)), charter.charterHash
            )
        );
        terms.salt = jobId;
    }

    function _requireProvider(address provider, address evaluator) private view {
        if (provider == evaluator) revert ProviderCannotBeEvaluator(provider);
        if (provider == address(this) || provider == address(_escrow) || provider == address(_evaluator)) {
            revert BadProvider(provider);
        }
    }

    function _requireCaller(address expected) private view {
        if (msg.sender != expected) revert Unauthorized(msg.sender);
    }

    function _toBudget(uint256 amount) private pure returns (uint96) {
        if (amount > type(uint96).max) revert BudgetTooLarge(amount, type(uint96).max);
        return uint96(amount);
    }

    function _in(uint256 jobId, JobStatus status) private view returns (Job storage job) {
        job = _existing(jobId);
        if (job.status != status) revert WrongStatus(job.status);
    }

    function _existing(uint256 jobId) private view returns (Job storage job) {
        job = _jobs[jobId];
        if (job.client == address(0)) revert InvalidJob(jobId);
    }
}
