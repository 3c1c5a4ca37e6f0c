// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {IEpochPayouts} from "./interfaces/IEpochPayouts.sol";
import {IReceiveWithAuthorization} from "./interfaces/IReceiveWithAuthorization.sol";
import {SumTree} from "./libraries/SumTree.sol";

/// @title EpochPayouts
/// @notice See {IEpochPayouts}. Immutable: its parties, its times and its bond are in the code.
/// @dev Two roots are kept: the accepted one, and the one that waits to be. A root's word carries its own acceptance, so
///      that a claim reads nothing else.
contract EpochPayouts is IEpochPayouts, ReentrancyGuardTransient {
    using SafeERC20 for IERC20;

    struct Root {
        bytes27 commitment;
        /// @dev From when it is accepted. With {HELD} added it never is: an answer is owed.
        uint40 acceptedFrom;
    }

    /// @dev `acceptedFrom` is the newest root's, without {HELD}.
    struct Epochs {
        uint88 acceptedTotal;
        uint88 newestTotal;
        uint40 acceptedFrom;
        uint32 number;
        uint8 newest;
    }

    struct Money {
        uint88 deposited;
        uint40 exitRequestedAt;
        uint32 demands;
        bool bonded;
    }

    struct Demand {
        address by;
        uint40 answerBy;
        uint32 epoch;
        uint96 cumulative;
    }

    uint256 private constant MIN_WINDOW = 15 minutes;
    uint256 private constant MAX_WINDOW = 30 days;
    uint256 private constant MAX_SILENCE = 365 days;
    uint40 private constant HELD = 1 << 39;

    address public immutable depositor;
    address public immutable operator;
    address public immutable token;
    uint96 public immutable bond;
    uint40 public immutable challengeWindow;
    uint40 public immutable silence;
    uint256 private immutable _since;

    Root[2] private _roots;
    Epochs private _epochs;
    Money private _money;
    mapping(address account => Demand) private _demands;
    /// @inheritdoc IEpochPayouts
    mapping(address account => uint256) public claimed;
    /// @inheritdoc IEpochPayouts
    mapping(address account => uint256) public credit;

    constructor(Terms memory terms) {
        if (terms.depositor == address(0)) revert BadParty(terms.depositor);
        if (terms.operator == address(0)) revert BadParty(terms.operator);
        if (terms.token.code.length == 0) revert TokenWithoutCode(terms.token);
        if (terms.bond == 0) revert EmptyAmount();
        _requireTime(terms.challengeWindow, MIN_WINDOW, MAX_WINDOW);
        _requireTime(terms.silence, terms.challengeWindow, MAX_SILENCE);
        depositor = terms.depositor;
        operator = terms.operator;
        token = terms.token;
        bond = terms.bond;
        challengeWindow = terms.challengeWindow;
        silence = terms.silence;
        _since = block.timestamp;
    }

    /// @inheritdoc IEpochPayouts
    function deposit(uint96 amount) external nonReentrant {
        _add(amount);
        _pull(amount);
    }

    /// @inheritdoc IEpochPayouts
    function depositWithAuthorization(
        uint96 amount,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes calldata signature
    ) external nonReentrant {
        _add(amount);

        // interaction
        uint256 before = IERC20(token).balanceOf(address(this));
        IReceiveWithAuthorization(token).receiveWithAuthorization(
            depositor, address(this), amount, validAfter, validBefore, nonce, signature
        );
        _requireReceived(before, amount);
    }

    /// @inheritdoc IEpochPayouts
    function postBond() external nonReentrant {
        _requireOperator();
        if (_money.bonded) revert AlreadyBonded();

        // effect, then interaction
        _money.bonded = true;
        emit BondPosted(bond);
        _pull(bond);
    }

    /// @inheritdoc IEpochPayouts
    function withdrawBond() external nonReentrant {
        _requireOperator();
        if (!_money.bonded) revert NotBonded();
        _requireAccepted(_roots[_epochs.newest].acceptedFrom);

        // effect, then interaction
        _money.bonded = false;
        emit BondWithdrawn(bond);
        _push(operator, bond);
    }

    /// @inheritdoc IEpochPayouts
    function commit(bytes32 root, uint96 total) external nonReentrant {
        // input
        _requireOperator();
        Money memory held = _money;
        if (!held.bonded) revert NotBonded();
        if (total > held.deposited) revert TotalAboveDeposit(total, held.deposited);

        // state
        Epochs memory epochs = _epochs;
        _requireAccepted(held.demands == 0 ? epochs.acceptedFrom : epochs.acceptedFrom | HELD);
        if (total < epochs.newestTotal) revert TotalShrinks(total, epochs.newestTotal);

        // effect
        uint8 slot = 1 - epochs.newest;
        uint40 acceptedFrom = uint40(block.timestamp) + challengeWindow;
        _roots[slot] = Root(SumTree.commitment(root, total), acceptedFrom);
        _epochs = Epochs(epochs.newestTotal, uint88(total), acceptedFrom, epochs.number + 1, slot);
        emit EpochCommitted(epochs.number + 1, slot, root, total, acceptedFrom);
    }

    /// @inheritdoc IEpochPayouts
    function challenge(
        address account,
        uint96 before,
        bytes calldata beforeProof,
        uint96 cumulative,
        bytes calldata proof
    ) external nonReentrant {
        (Epochs memory epochs, Root memory pending, Root memory standing) = _pending();
        _requireLeaf(standing, account, before, beforeProof);
        _requireLeaf(pending, account, cumulative, proof);
        if (cumulative >= before) revert NotShrunk(cumulative, before);

        _void(epochs, account, msg.sender);
    }

    /// @inheritdoc IEpochPayouts
    function demand(address account, uint96 cumulative, bytes calldata proof) external nonReentrant {
        // state
        (Epochs memory epochs, Root memory pending, Root memory standing) = _pending();
        uint256 end = pending.acceptedFrom & ~HELD;
        if (block.timestamp >= end) revert TooLate(block.timestamp, end);
        if (_demands[account].epoch == epochs.number) revert AlreadyDemanded(account);

        // input
        _requireLeaf(standing, account, cumulative, proof);

        // effect
        uint40 answerBy = uint40(block.timestamp) + challengeWindow;
        _demands[account] = Demand(msg.sender, answerBy, epochs.number, cumulative);
        ++_money.demands;
        _roots[epochs.newest].acceptedFrom = pending.acceptedFrom | HELD;
        emit LeafDemanded(epochs.number, account, cumulative, answerBy);
    }

    /// @inheritdoc IEpochPayouts
    function answer(address account, uint96 cumulative, bytes calldata proof) external nonReentrant {
        (Epochs memory epochs, Root memory pending,) = _pending();
        Demand memory asked = _demanded(epochs, account);
        if (cumulative < asked.cumulative) revert TotalShrinks(cumulative, asked.cumulative);
        _requireLeaf(pending, account, cumulative, proof);

        // effect; who has been answered keeps the epoch's number, and is not asked for again
        _demands[account].answerBy = 0;
        uint32 left = _money.demands - 1;
        _money.demands = left;
        if (left == 0) _roots[epochs.newest].acceptedFrom = pending.acceptedFrom & ~HELD;
        emit LeafShown(epochs.number, account, cumulative);
    }

    /// @inheritdoc IEpochPayouts
    function enforce(address account) external nonReentrant {
        (Epochs memory epochs,,) = _pending();
        Demand memory asked = _demanded(epochs, account);
        if (block.timestamp < asked.answerBy) revert TooEarly(block.timestamp, asked.answerBy);

        _void(epochs, account, asked.by);
    }

    /// @inheritdoc IEpochPayouts
    function claim(uint256 slot, address account, uint96 cumulative, bytes calldata proof) external nonReentrant {
        uint256 amount = _take(_accepted(slot), account, cumulative, proof);
        if (amount == 0) revert NothingNew(account, cumulative);
        _push(account, amount);
    }

    /// @inheritdoc IEpochPayouts
    function claimMany(uint256 slot, Claim[] calldata claims) external nonReentrant {
        Root memory root = _accepted(slot);
        for (uint256 i = 0; i < claims.length; ++i) {
            Claim calldata one = claims[i];
            _push(one.account, _take(root, one.account, one.cumulative, one.proof));
        }
    }

    /// @inheritdoc IEpochPayouts
    function requestExit() external {
        _requireDepositor();
        if (_money.exitRequestedAt != 0) revert AlreadyRequested();
        _money.exitRequestedAt = uint40(block.timestamp);
        emit ExitRequested(block.timestamp + silence);
    }

    /// @inheritdoc IEpochPayouts
    function reclaim() external nonReentrant {
        // input
        _requireDepositor();
        Money memory held = _money;
        uint256 since = _lastRootAt();
        if (held.exitRequestedAt != 0 && held.exitRequestedAt < since) since = held.exitRequestedAt;
        if (block.timestamp < since + silence) revert TooEarly(block.timestamp, since + silence);
        uint256 free = held.deposited - _epochs.newestTotal;
        if (free == 0) revert NothingToWithdraw(msg.sender);

        // effect, then interaction
        _money = Money(uint88(held.deposited - free), 0, held.demands, held.bonded);
        emit Reclaimed(free);
        _push(depositor, free);
    }

    /// @inheritdoc IEpochPayouts
    function withdrawCredit(address to) external nonReentrant {
        if (to == address(0) || to == address(this)) revert BadRecipient(to);
        uint256 amount = credit[msg.sender];
        if (amount == 0) revert NothingToWithdraw(msg.sender);

        // effect, then interaction
        credit[msg.sender] = 0;
        emit CreditWithdrawn(msg.sender, to, amount);
        IERC20(token).safeTransfer(to, amount);
    }

    /// @inheritdoc IEpochPayouts
    function accepted() external view returns (uint256 slot, bytes27 commitment, uint256 total) {
        Epochs memory epochs = _epochs;
        bool pending = block.timestamp < _roots[epochs.newest].acceptedFrom;
        slot = pending ? 1 - epochs.newest : epochs.newest;
        return (slot, _accepted(slot).commitment, pending ? epochs.acceptedTotal : epochs.newestTotal);
    }

    /// @inheritdoc IEpochPayouts
    function epoch()
        external
        view
        returns (
            uint256 number,
            uint256 slot,
            uint256 acceptedTotal,
            uint256 newestTotal,
            uint256 demands,
            uint256 acceptedFrom
        )
    {
        Epochs memory epochs = _epochs;
        uint40 from = _roots[epochs.newest].acceptedFrom;
        acceptedTotal = block.timestamp < from ? epochs.acceptedTotal : epochs.newestTotal;
        return (epochs.number, epochs.newest, acceptedTotal, epochs.newestTotal, _money.demands, from & ~HELD);
    }

    /// @inheritdoc IEpochPayouts
    function money() external view returns (uint256 deposited, bool bonded, uint256 exitRequestedAt) {
        Money memory held = _money;
        return (held.deposited, held.bonded, held.exitRequestedAt);
    }

    function _add(uint256 amount) private {
        if (amount == 0) revert EmptyAmount();
        uint256 deposited = _money.deposited + amount;
        if (deposited > type(uint88).max) revert DepositTooLarge(deposited, type(uint88).max);

        _money.deposited = uint88(deposited);
        emit Deposited(msg.sender, amount, deposited);
    }

    function _pull(uint256 amount) private {
        uint256 before = IERC20(token).balanceOf(address(this));
        IERC20(token).safeTransferFrom(msg.sender, address(this), amount);
        _requireReceived(before, amount);
    }

    /// @dev Sends, or credits when the token reverts or answers false.
    function _push(address to, uint256 amount) private {
        if (amount == 0) return;
        if (IERC20(token).trySafeTransfer(to, amount)) return;
        credit[to] += amount;
        emit Credited(to, amount);
    }

    /// @dev Marks the account as paid up to `cumulative`; 0 when it is already.
    function _take(Root memory root, address account, uint96 cumulative, bytes calldata proof)
        private
        returns (uint256 amount)
    {
        _requireLeaf(root, account, cumulative, proof);
        uint256 before = claimed[account];
        if (cumulative <= before) return 0;

        claimed[account] = cumulative;
        amount = cumulative - before;
        emit Claimed(account, cumulative);
    }

    /// @dev The pending root never was; the one before it stands again as the newest, and the bond is gone.
    function _void(Epochs memory epochs, address account, address challenger) private {
        delete _roots[epochs.newest];
        uint8 slot = 1 - epochs.newest;
        uint40 acceptedFrom = _roots[slot].acceptedFrom;
        _epochs = Epochs(epochs.acceptedTotal, epochs.acceptedTotal, acceptedFrom, epochs.number, slot);
        (_money.bonded, _money.demands) = (false, 0);
        emit EpochVoided(epochs.number, account, challenger);
        _push(challenger, bond);
    }

    function _pending() private view returns (Epochs memory epochs, Root memory pending, Root memory standing) {
        epochs = _epochs;
        (pending, standing) = (_roots[epochs.newest], _roots[1 - epochs.newest]);
        if (block.timestamp >= pending.acceptedFrom) revert NotPending(epochs.number);
    }

    function _demanded(Epochs memory epochs, address account) private view returns (Demand memory asked) {
        asked = _demands[account];
        if (asked.epoch != epochs.number || asked.answerBy == 0) revert NotDemanded(account);
    }

    function _accepted(uint256 slot) private view returns (Root memory root) {
        root = _roots[slot];
        if (root.acceptedFrom == 0 || block.timestamp < root.acceptedFrom) revert NotAccepted(slot);
    }

    function _lastRootAt() private view returns (uint256) {
        uint40 acceptedFrom = _roots[_epochs.newest].acceptedFrom;
        return acceptedFrom == 0 ? _since : (acceptedFrom & ~HELD) - challengeWindow;
    }

    function _requireLeaf(Root memory root, address account, uint96 cumulative, bytes calldata proof) private view {
        // A slot without a root is empty, and so is the answer to a proof that leads nowhere.
        bytes27 reached = SumTree.climb(account, token, cumulative, proof);
        if (reached == 0 || reached != root.commitment) revert BadProof(account, cumulative);
    }

    function _requireAccepted(uint40 acceptedFrom) private view {
        if (block.timestamp < acceptedFrom) revert EpochPending(acceptedFrom);
    }

    function _requireReceived(uint256 before, uint256 expected) private view {
        uint256 received = IERC20(token).balanceOf(address(this)) - before;
        if (received < expected) revert ReceivedLess(received, expected);
    }

    function _requireOperator() private view {
        if (msg.sender != operator) revert NotOperator(msg.sender, operator);
    }

    function _requireDepositor() private view {
        if (msg.sender != depositor) revert NotDepositor(msg.sender, depositor);
    }

    function _requireTime(uint256 actual, uint256 min, uint256 max) private pure {
        if (actual < min || actual > max) revert BadTime(actual, min, max);
    }
}
