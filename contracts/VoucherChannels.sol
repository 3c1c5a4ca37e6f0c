// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {IReceiveWithAuthorization} from "./interfaces/IReceiveWithAuthorization.sol";
import {IVoucherChannels} from "./interfaces/IVoucherChannels.sol";
import {ChannelSlot, ChannelSlots} from "./libraries/ChannelSlot.sol";
import {Signatures} from "./libraries/Signatures.sol";

/// @title VoucherChannels
/// @notice See {IVoucherChannels}. Immutable: no owner, no pause, no upgrade, no sweep, no ether, no parameter.
/// @dev Configs travel in calldata and are named by their hash; storage holds one word per channel, at its id. No balance is ever
///      read to decide a payment: what a channel may pay is its own `deposit - claimed`.
contract VoucherChannels is IVoucherChannels, EIP712, ReentrancyGuardTransient {
    using SafeERC20 for IERC20;

    uint256 private constant MIN_DELAY = 15 minutes;
    uint256 private constant MAX_DELAY = 30 days;
    uint256 private constant MAX_CLAIMS = 256;
    uint256 private constant MAX_DEPOSIT = type(uint104).max;
    bytes2 private constant EIP712_PREFIX = 0x1901;
    uint256 private constant OPEN = uint256(ChannelStatus.Open);

    bytes32 private constant CONFIG_TYPEHASH = keccak256(
        "ChannelConfig(address payer,address payerAuthorizer,address receiver,address receiverAuthorizer,address token,uint40 withdrawDelay,bytes32 salt)"
    );
    bytes32 private constant VOUCHER_TYPEHASH = keccak256("Voucher(bytes32 channelId,uint128 maxClaimableAmount)");
    bytes32 private constant ENTRY_TYPEHASH =
        keccak256("ClaimEntry(bytes32 channelId,uint128 maxClaimableAmount,uint128 totalClaimed)");
    bytes32 private constant BATCH_TYPEHASH = keccak256(
        "ClaimBatch(ClaimEntry[] claims)ClaimEntry(bytes32 channelId,uint128 maxClaimableAmount,uint128 totalClaimed)"
    );
    bytes32 private constant CLOSE_TYPEHASH =
        keccak256("Close(bytes32 channelId,uint128 totalClaimed,uint40 validBefore)");

    /// @inheritdoc IVoucherChannels
    mapping(address token => mapping(address account => uint256)) public credit;

    constructor() EIP712("Parley VoucherChannels", "1") {}

    /// @inheritdoc IVoucherChannels
    function open(ChannelConfig calldata config, uint128 amount) external nonReentrant returns (bytes32 id) {
        _requirePayer(config);
        id = _open(config, amount);
        _pull(config, amount);
    }

    /// @inheritdoc IVoucherChannels
    function openWithAuthorization(
        ChannelConfig calldata config,
        uint128 amount,
        uint256 validAfter,
        uint256 validBefore,
        bytes calldata signature
    ) external nonReentrant returns (bytes32 id) {
        id = _open(config, amount);
        _pullWithAuthorization(config, amount, id, validAfter, validBefore, signature);
    }

    /// @inheritdoc IVoucherChannels
    function topUp(ChannelConfig calldata config, uint128 amount) external nonReentrant {
        _requirePayer(config);
        bytes32 id = channelId(config);
        ChannelSlots.store(id, _add(id, amount).withCloseRequestedAt(0));
        _pull(config, amount);
    }

    /// @inheritdoc IVoucherChannels
    function topUpWithAuthorization(
        ChannelConfig calldata config,
        uint128 amount,
        bytes32 salt,
        uint256 validAfter,
        uint256 validBefore,
        bytes calldata signature
    ) external nonReentrant {
        bytes32 id = channelId(config);
        ChannelSlots.store(id, _add(id, amount));
        _pullWithAuthorization(config, amount, topUpNonce(id, salt), validAfter, validBefore, signature);
    }

    /// @inheritdoc IVoucherChannels
    function claim(VoucherClaim calldata one) external nonReentrant {
        Voucher calldata voucher = one.voucher;
        _claim(voucher.channel, voucher.maxClaimableAmount, one.totalClaimed, one.signature);
    }

    /// @inheritdoc IVoucherChannels
    function settle(ChannelConfig calldata config, uint128 cumulativeAmount, bytes calldata signature)
        external
        nonReentrant
    {
        _claim(config, cumulativeAmount, cumulativeAmount, signature);
    }

    /// @inheritdoc IVoucherChannels
    function claimMany(Payee calldata payee, BatchedClaim[] calldata claims)
        external
        nonReentrant
        returns (uint256 done)
    {
        _requireReceiverSide(payee.receiver, payee.receiverAuthorizer);
        return _claimMany(payee, claims, _domainSeparatorV4());
    }

    /// @inheritdoc IVoucherChannels
    function claimManyWithSignature(Payee calldata payee, BatchedClaim[] calldata claims, bytes calldata signature)
        external
        nonReentrant
        returns (uint256 done)
    {
        bytes32 domain = _domainSeparatorV4();
        bytes32[] memory entries = new bytes32[](claims.length);
        for (uint256 i = 0; i < claims.length; ++i) {
            BatchedClaim calldata one = claims[i];
            bytes32 id = _idOf(domain, payee, one);
            entries[i] = keccak256(abi.encode(ENTRY_TYPEHASH, id, one.maxClaimableAmount, one.totalClaimed));
        }
        bytes32 structHash = keccak256(abi.encode(BATCH_TYPEHASH, keccak256(abi.encodePacked(entries))));
        _requireSigned(_signer(payee.receiverAuthorizer, payee.receiver), structHash, signature);
        return _claimMany(payee, claims, domain);
    }

    /// @inheritdoc IVoucherChannels
    function close(ChannelConfig calldata config, uint128 cumulativeAmount, bytes calldata signature)
        external
        nonReentrant
    {
        (bytes32 id, ChannelSlot current) = _opened(config);
        _requireReceiverSide(config.receiver, config.receiverAuthorizer);
        uint256 owed;
        if (cumulativeAmount != current.claimed()) {
            owed = _takeOne(id, config, cumulativeAmount, cumulativeAmount, signature);
        }
        if (msg.sender == config.receiver) {
            _end(id, config, cumulativeAmount, owed);
            return;
        }

        // The authorizer's key alone must not end what a higher voucher is owed.
        if (current.closeRequestedAt() == 0) _giveNotice(id, config);
        else if (owed == 0) revert CloseAlreadyRequested(id);
        _push(config.token, config.receiver, owed);
    }

    /// @inheritdoc IVoucherChannels
    function closeWithSignatures(
        ChannelConfig calldata config,
        uint128 totalClaimed,
        uint40 validBefore,
        bytes calldata payerSignature,
        bytes calldata receiverSignature
    ) external nonReentrant {
        // input
        if (block.timestamp >= validBefore) revert TooLate(block.timestamp, validBefore);
        (bytes32 id, ChannelSlot current) = _opened(config);
        uint256 before = current.claimed();
        if (totalClaimed < before || totalClaimed > current.deposit()) {
            revert BadTotal(totalClaimed, before, current.deposit());
        }
        bytes32 structHash = keccak256(abi.encode(CLOSE_TYPEHASH, id, totalClaimed, validBefore));
        _requireSigned(_signer(config.payerAuthorizer, config.payer), structHash, payerSignature);
        _requireSigned(config.receiver, structHash, receiverSignature);

        // effect, then interaction
        if (totalClaimed != before) emit Claimed(id, totalClaimed);
        _end(id, config, totalClaimed, totalClaimed - before);
    }

    /// @inheritdoc IVoucherChannels
    function requestClose(ChannelConfig calldata config) external nonReentrant {
        _requirePayer(config);
        (bytes32 id, ChannelSlot current) = _opened(config);
        if (current.closeRequestedAt() != 0) revert CloseAlreadyRequested(id);

        _giveNotice(id, config);
    }

    /// @inheritdoc IVoucherChannels
    function withdraw(ChannelConfig calldata config) external nonReentrant {
        (bytes32 id, ChannelSlot current) = _opened(config);
        if (current.closeRequestedAt() == 0) revert CloseNotRequested(id);
        uint256 earliest = current.closeRequestedAt() + config.withdrawDelay;
        if (block.timestamp < earliest) revert TooEarly(block.timestamp, earliest);

        _end(id, config, current.claimed(), 0);
    }

    /// @inheritdoc IVoucherChannels
    function withdrawCredit(address token, address to) external nonReentrant {
        _sendCredit(token, msg.sender, to);
    }

    /// @inheritdoc IVoucherChannels
    function sendCredit(address token, address account) external nonReentrant {
        _sendCredit(token, account, account);
    }

    /// @inheritdoc IVoucherChannels
    function channel(bytes32 id)
        external
        view
        returns (ChannelStatus status, uint256 deposit, uint256 claimed, uint256 closeRequestedAt)
    {
        ChannelSlot current = ChannelSlots.load(id);
        return (ChannelStatus(current.status()), current.deposit(), current.claimed(), current.closeRequestedAt());
    }

    /// @inheritdoc IVoucherChannels
    /// @dev Hashes the seven words as they stand. A word with dirty high bits gives an id that was never opened.
    function channelId(ChannelConfig calldata config) public view returns (bytes32) {
        bytes32 typehash = CONFIG_TYPEHASH;
        bytes32 structHash;
        assembly ("memory-safe") {
            let start := mload(0x40)
            mstore(start, typehash)
            calldatacopy(add(start, 0x20), config, 0xe0)
            structHash := keccak256(start, 0x100)
        }
        return _hashTypedDataV4(structHash);
    }

    /// @inheritdoc IVoucherChannels
    function topUpNonce(bytes32 id, bytes32 salt) public pure returns (bytes32) {
        return keccak256(abi.encode(id, salt));
    }

    /// @dev Checks the config and writes the channel as open; the money follows in the same call or all of it reverts.
    function _open(ChannelConfig calldata config, uint256 amount) private returns (bytes32 id) {
        // input
        _requireParty(config.payer);
        _requireParty(config.receiver);
        uint256 delay = config.withdrawDelay;
        if (delay < MIN_DELAY || delay > MAX_DELAY) revert BadDelay(delay, MIN_DELAY, MAX_DELAY);
        _requireAmount(amount, amount);

        // state
        id = channelId(config);
        if (ChannelSlots.load(id).status() != uint256(ChannelStatus.None)) revert AlreadyOpened(id);

        // effect
        ChannelSlots.store(id, ChannelSlots.pack(amount, 0, 0, OPEN));
        emit ChannelOpened(id, config, amount);
    }

    /// @dev Answers the word to write; the money follows in the same call or all of it reverts.
    function _add(bytes32 id, uint256 amount) private returns (ChannelSlot current) {
        current = ChannelSlots.load(id);
        if (current.status() != OPEN) revert NotOpen(id);
        uint256 deposit = current.deposit() + amount;
        _requireAmount(amount, deposit);

        emit ToppedUp(id, amount, deposit);
        return current.withDeposit(deposit);
    }

    function _pull(ChannelConfig calldata config, uint256 amount) private {
        IERC20 token = IERC20(config.token);
        uint256 before = token.balanceOf(address(this));
        token.safeTransferFrom(config.payer, address(this), amount);
        _requireReceived(token, before, amount);
    }

    function _pullWithAuthorization(
        ChannelConfig calldata config,
        uint256 amount,
        bytes32 nonce,
        uint256 validAfter,
        uint256 validBefore,
        bytes calldata signature
    ) private {
        IERC20 token = IERC20(config.token);
        uint256 before = token.balanceOf(address(this));
        IReceiveWithAuthorization(config.token).receiveWithAuthorization(
            config.payer, address(this), amount, validAfter, validBefore, nonce, signature
        );
        _requireReceived(token, before, amount);
    }

    function _claim(ChannelConfig calldata config, uint256 max, uint256 total, bytes calldata signature) private {
        _requireReceiverSide(config.receiver, config.receiverAuthorizer);
        uint256 amount = _takeOne(channelId(config), config, max, total, signature);
        _push(config.token, config.receiver, amount);
    }

    /// @dev {_take}, and nothing but it.
    function _takeOne(
        bytes32 id,
        ChannelConfig calldata config,
        uint256 max,
        uint256 total,
        bytes calldata signature
    ) private returns (uint256 amount) {
        Fault fault;
        address signer = _signer(config.payerAuthorizer, config.payer);
        (fault, amount) = _take(_domainSeparatorV4(), id, signer, max, total, signature);
        if (fault != Fault.None) revert ClaimRefused(id, fault);
    }

    function _claimMany(Payee calldata payee, BatchedClaim[] calldata claims, bytes32 domain)
        private
        returns (uint256 done)
    {
        if (claims.length > MAX_CLAIMS) revert TooManyClaims(claims.length, MAX_CLAIMS);
        uint256 sum;
        // Cannot overflow: at most 256 amounts of 104 bits.
        unchecked {
            for (uint256 i = 0; i < claims.length; ++i) {
                BatchedClaim calldata one = claims[i];
                bytes32 id = _idOf(domain, payee, one);
                (address signer, uint256 max, uint256 total) = _read(one);
                (Fault fault, uint256 amount) = _take(domain, id, signer, max, total, one.signature);
                if (fault != Fault.None) {
                    emit ClaimSkipped(id, fault);
                    continue;
                }
                done |= 1 << i;
                sum += amount;
            }
        }
        _credit(payee.token, payee.receiver, sum);
    }

    /// @dev Marks what the claim takes, and answers how much it is; or changes nothing and answers why.
    function _take(bytes32 domain, bytes32 id, address signer, uint256 max, uint256 total, bytes calldata signature)
        private
        returns (Fault, uint256 amount)
    {
        ChannelSlot current = ChannelSlots.load(id);
        if (current.status() != OPEN) return (Fault.NotOpen, 0);
        uint256 before = current.claimed();
        if (total <= before) return (Fault.NothingNew, 0);
        if (total > max) return (Fault.AboveVoucher, 0);
        if (total > current.deposit()) return (Fault.AboveDeposit, 0);
        if (!Signatures.isSignedByKey(signer, _voucherDigest(domain, id, max), signature)) return (Fault.BadSignature, 0);

        ChannelSlots.store(id, current.withClaimed(total));
        emit Claimed(id, total);
        unchecked {
            return (Fault.None, total - before);
        }
    }

    /// @dev From now on the delay runs, after which the rest is the payer's.
    function _giveNotice(bytes32 id, ChannelConfig calldata config) private {
        ChannelSlots.store(id, ChannelSlots.load(id).withCloseRequestedAt(uint40(block.timestamp)));
        emit CloseRequested(id, block.timestamp + config.withdrawDelay);
    }

    /// @dev Closes for ever: nothing is left to claim, `owed` goes to the receiver and the rest to the payer.
    function _end(bytes32 id, ChannelConfig calldata config, uint256 total, uint256 owed) private {
        ChannelSlot current = ChannelSlots.load(id);
        uint256 rest = current.deposit() - total;
        ChannelSlots.store(id, ChannelSlots.pack(total, total, current.closeRequestedAt(), uint256(ChannelStatus.Closed)));
        emit ChannelClosed(id, total, rest);

        _push(config.token, config.receiver, owed);
        _push(config.token, config.payer, rest);
    }

    /// @dev Sends, or credits when the token reverts or answers false.
    function _push(address token, address to, uint256 amount) private {
        if (amount == 0) return;
        if (!IERC20(token).trySafeTransfer(to, amount)) _credit(token, to, amount);
    }

    function _credit(address token, address account, uint256 amount) private {
        if (amount == 0) return;
        credit[token][account] += amount;
        emit Credited(token, account, amount);
    }

    function _sendCredit(address token, address account, address to) private {
        if (to == address(0) || to == address(this)) revert BadRecipient(to);
        uint256 amount = credit[token][account];
        if (amount == 0) revert NothingToWithdraw(token, account);

        // effect, then interaction
        credit[token][account] = 0;
        emit CreditWithdrawn(token, account, to, amount);
        IERC20(token).safeTransfer(to, amount);
    }

    function _opened(ChannelConfig calldata config) private view returns (bytes32 id, ChannelSlot current) {
        id = channelId(config);
        current = ChannelSlots.load(id);
        if (current.status() != OPEN) revert NotOpen(id);
    }

    function _requireReceived(IERC20 token, uint256 before, uint256 expected) private view {
        uint256 received = token.balanceOf(address(this)) - before;
        if (received < expected) revert ReceivedLess(received, expected);
    }

    function _requirePayer(ChannelConfig calldata config) private view {
        if (msg.sender != config.payer) revert NotPayer(msg.sender, config.payer);
    }

    /// @dev No account is the zero address: no call comes from it.
    function _requireReceiverSide(address receiver, address authorizer) private view {
        if (msg.sender != receiver && msg.sender != authorizer) revert NotReceiver(msg.sender);
    }

    function _requireParty(address party) private view {
        if (party == address(0) || party == address(this)) revert BadParty(party);
    }

    function _requireSigned(address signer, bytes32 structHash, bytes calldata signature) private view {
        if (!Signatures.isSignedBy(signer, _hashTypedDataV4(structHash), signature)) revert BadSignature(signer);
    }

    function _requireAmount(uint256 amount, uint256 deposit) private pure {
        if (amount == 0) revert EmptyAmount();
        if (deposit > MAX_DEPOSIT) revert DepositTooLarge(deposit, MAX_DEPOSIT);
    }

    /// @dev {channelId} of a config that is given in two parts, hashed without a copy.
    function _idOf(bytes32 domain, Payee calldata payee, BatchedClaim calldata one) private pure returns (bytes32 id) {
        (bytes32 typehash, bytes2 prefix) = (CONFIG_TYPEHASH, EIP712_PREFIX);
        assembly ("memory-safe") {
            let start := mload(0x40)
            mstore(start, typehash)
            calldatacopy(add(start, 0x20), one, 0x40)
            calldatacopy(add(start, 0x60), payee, 0x60)
            calldatacopy(add(start, 0xc0), add(one, 0x40), 0x40)
            mstore(add(start, 0x22), keccak256(start, 0x100))
            mstore(start, prefix)
            mstore(add(start, 0x02), domain)
            id := keccak256(start, 0x42)
        }
    }

    /// @dev The words as they stand: dirty ones make an id that was never opened, or a voucher that no account signed.
    function _read(BatchedClaim calldata one) private pure returns (address signer, uint256 max, uint256 total) {
        assembly ("memory-safe") {
            signer := calldataload(add(one, 0x20))
            if iszero(signer) { signer := calldataload(one) }
            max := calldataload(add(one, 0x80))
            total := calldataload(add(one, 0xa0))
        }
    }

    function _voucherDigest(bytes32 domain, bytes32 id, uint256 max) private pure returns (bytes32 digest) {
        (bytes32 typehash, bytes2 prefix) = (VOUCHER_TYPEHASH, EIP712_PREFIX);
        assembly ("memory-safe") {
            let start := mload(0x40)
            mstore(start, typehash)
            mstore(add(start, 0x20), id)
            mstore(add(start, 0x40), max)
            mstore(add(start, 0x22), keccak256(start, 0x60))
            mstore(start, prefix)
            mstore(add(start, 0x02), domain)
            digest := keccak256(start, 0x42)
        }
    }

    function _signer(address authorizer, address principal) private pure returns (address) {
        return authorizer == address(0) ? principal : authorizer;
    }
}
